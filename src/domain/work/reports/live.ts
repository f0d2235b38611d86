/** Parts of the statements that count a project's issues. */

/** The workspace is asked of the project, since the indexes that these statements stay within do not hold it. */
export const ISSUES = "project p join issue i on i.project_id = p.id";
export const LIVE = "p.workspace_id = $1 and p.id = $2 and i.archived_at is null";
