import type { InWorkspace } from "../../kernel/context.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { automationRunView, type EndedRunRow } from "../automation-runs/view.ts";
import { appliedAsSeen } from "../seen/applied.ts";
import { visibleIssues } from "../seen/issues.sql.ts";
import { type Reading, seesAll } from "../seen/viewer.ts";
import { listRuns } from "./runs.sql.ts";
import type { RuleRow } from "./view.ts";

/** Returns a page of an automation's runs that have ended, newest first. */
export async function runsPage(ctx: InWorkspace, { id }: RuleRow, paging: Paging) {
  const rows = await listRuns(ctx, id, paging.after, paging.limit + 1);
  const page = pageOf(
    rows,
    paging,
    (row) => [row.created_at, row.id],
    ({ bytes }) => bytes,
  );
  return { rows: (await runsSeenBy(ctx, page.rows)).map(automationRunView), next_cursor: page.next_cursor };
}

/** Runs as a reader sees them: what was done to an issue only if the reader sees the issue. */
export async function runsSeenBy(ctx: Reading, rows: readonly EndedRunRow[]): Promise<EndedRunRow[]> {
  const seen = await visibleIssues(ctx, [...new Set(rows.flatMap(issuesOf))]);
  return rows.map((row) => asSeen(row, { all: seesAll(ctx), sees: (id) => id === null || seen.has(id) }));
}

const issuesOf = ({ issue_id, actions_applied }: EndedRunRow): string[] =>
  [issue_id, ...(actions_applied ?? []).map((one) => one.issue_id)].flatMap((id) => id ?? []);

function asSeen(row: EndedRunRow, sight: Parameters<typeof appliedAsSeen>[1]): EndedRunRow {
  if (!sight.sees(row.issue_id)) {
    const actions_applied = row.actions_applied?.map((one) => ({ ...one, issue_id: null, detail: null })) ?? null;
    return { ...row, actions_applied, issue_id: null, issue_key: null, detail: null };
  }
  if (row.actions_applied === null) return row;
  const { applied, hidden } = appliedAsSeen(row.actions_applied, sight);
  // The run repeats the detail of the first action that failed.
  return { ...row, actions_applied: applied, detail: hidden.has(row.detail) ? null : row.detail };
}
