import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import { CATEGORIES, isClosed } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import type { FullIssue } from "./change.sql.ts";

/** Categories of open issues, for `in (…)`. */
export const OPEN = CATEGORIES.filter((category) => !isClosed(category))
  .map((category) => `'${category}'`)
  .join(", ");

/** Returns issues by id. */
export function readSome({ db, workspace }: InProject, ids: string[]): Promise<FullIssue[]> {
  return db.query<FullIssue>(
    {
      name: "read_some_issues",
      text: `select ${issueColumns}, ${labelsJson} from issue i ${issueJoins}
             where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspace.id, ids],
  );
}
