import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { Reading } from "./viewer.ts";

/** The issues among these ids that the reader sees. */
export async function visibleIssues(
  { db, workspace, principal }: Reading,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(
    {
      name: "visible_issues",
      text: `
        select i.id from issue i join project p on p.id = i.project_id
        where i.workspace_id = $1 and i.id = any($6::uuid[]) and ${visible(2)}`,
    },
    [workspace.id, ...visibility(principal), ids],
  );
  return new Set(rows.map(({ id }) => id));
}
