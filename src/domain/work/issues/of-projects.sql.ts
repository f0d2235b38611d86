import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { FullIssue } from "./change.sql.ts";

type OfProject = FullIssue & { project_key: string; project_slug: string };

/** Returns issues of several projects, as all readers see them, with the properties of the projects that their views need. */
export const readIssues = (ctx: Pick<InWorkspace, "db" | "workspace">, ids: string[]): Promise<OfProject[]> =>
  readFrom("issue_now", ctx.db, ctx.workspace.id, ids);

/** The same issues as they are stored: without changes that are still to come for them, or for issues that block them. */
export const readStoredIssues = (
  { tx, workspace }: Pick<InWorkspace & Writing, "tx" | "workspace">,
  ids: string[],
): Promise<OfProject[]> => readFrom("only issue", tx, workspace.id, ids);

function readFrom(table: string, db: Db, workspaceId: string, ids: string[]): Promise<OfProject[]> {
  return db.query(
    {
      text: `
        select ${issueColumns}, ${labelsJson}, p.key as project_key, p.slug as project_slug
        from ${table} i ${issueJoins} join project p on p.id = i.project_id
        where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspaceId, ids],
  );
}
