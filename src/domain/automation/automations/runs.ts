import type { InWorkspace } from "../../kernel/context.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { automationRunView, type EndedRunRow } from "../automation-runs/view.ts";
import { listRuns, visibleIssues } from "./runs.sql.ts";
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
  const seen = await visibleIssues(ctx, [...new Set(page.rows.flatMap(issuesOf))]);
  return {
    rows: page.rows.map((row) => automationRunView(asSeen(row, (id) => id === null || seen.has(id)))),
    next_cursor: page.next_cursor,
  };
}

const issuesOf = ({ issue_id, actions_applied }: EndedRunRow): string[] =>
  [issue_id, ...(actions_applied ?? []).map((one) => one.issue_id)].flatMap((id) => id ?? []);

/** What a run did to an issue is shown only to those who see the issue. */
function asSeen(row: EndedRunRow, sees: (issueId: string | null) => boolean): EndedRunRow {
  const isSeen = sees(row.issue_id);
  const actions_applied =
    row.actions_applied?.map((one) =>
      isSeen && sees(one.issue_id) ? one : { ...one, issue_id: null, detail: null },
    ) ?? null;
  return isSeen
    ? { ...row, actions_applied }
    : { ...row, actions_applied, issue_id: null, issue_key: null, detail: null };
}
