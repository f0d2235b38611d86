import { isLive } from "../../kernel/present.sql.ts";

/** Parts of the statements that count a project's issues. */

/**
 * The workspace is compared with the project's row, because the indexes that these statements use do not contain it.
 */
export const ISSUES = "project p join issue i on i.project_id = p.id";
export const LIVE = `p.workspace_id = $1 and p.id = $2 and ${isLive("i")}`;
