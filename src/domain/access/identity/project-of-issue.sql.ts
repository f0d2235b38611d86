import type { Db } from "../../kernel/ports/ports.ts";
import { readIssueRef } from "./lookup.ts";

/**
 * The key or id of the project of an issue, for paths that name the issue only. Whether the caller may see either is
 * checked afterwards. Empty if there is no such issue.
 * @param slug the workspace of the path, if it names one
 */
export async function projectOfIssue(db: Db, slug: string | undefined, text: string): Promise<string> {
  const ref = readIssueRef(text);
  if (ref.by === "number") return ref.projectKey;
  if (ref.value === null) return "";
  const [row] = await db.query<{ project_id: string }>(
    {
      name: "project_of_issue",
      text: `
        select i.project_id from issue i join workspace w on w.id = i.workspace_id
        where i.id = $1 and ($2::text is null or w.slug = lower($2))`,
    },
    [ref.value, slug ?? null],
  );
  return row?.project_id ?? "";
}
