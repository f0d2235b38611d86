import { type IssueRow, type LabelRow, labelColumns } from "../../access/identity/issue-row.ts";
import type { Db } from "../../kernel/ports/ports.ts";

const LABELS = {
  name: "labels_of_page",
  text: `select ${labelColumns} from label where workspace_id = $1 and id = any($2::uuid[])`,
};

/** Returns the labels of a page, each once. Joining them to every row would cost more than the page itself. */
export async function labelsIn(db: Db, workspaceId: string, rows: IssueRow[]): Promise<Map<string, LabelRow>> {
  const ids = new Set(rows.flatMap((row) => row.label_ids));
  const labels = ids.size === 0 ? [] : await db.query<LabelRow>(LABELS, [workspaceId, [...ids]]);
  return new Map(labels.map((label) => [label.id, label]));
}
