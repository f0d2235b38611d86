import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { FullIssue } from "./change.sql.ts";

/** Returns issues of several projects, as all readers see them, with the properties of the projects that their views need. */
export function readIssues(
  { db, workspace }: Pick<InWorkspace, "db" | "workspace">,
  ids: string[],
): Promise<(FullIssue & { project_key: string; project_slug: string })[]> {
  return db.query(
    {
      text: `
        select ${issueColumns}, ${labelsJson}, p.key as project_key, p.slug as project_slug
        from issue_now i ${issueJoins} join project p on p.id = i.project_id
        where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspace.id, ids],
  );
}
