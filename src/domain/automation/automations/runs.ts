import type { InWorkspace } from "../../kernel/context.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { type Applied, automationRunView, type EndedRunRow } from "../automation-runs/view.ts";
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
    rows: page.rows.map((row) => automationRunView(asSeen(ctx, row, (id) => id === null || seen.has(id)))),
    next_cursor: page.next_cursor,
  };
}

const issuesOf = ({ issue_id, actions_applied }: EndedRunRow): string[] =>
  [issue_id, ...(actions_applied ?? []).map((one) => one.issue_id)].flatMap((id) => id ?? []);

/** Actions whose details name another issue, perhaps of a project that the reader does not see. */
const NAMING_OTHERS: readonly string[] = ["create_issue", "link_issue"];

/** What a run did to an issue is shown only to those who see the issue, and what else it names only to admins. */
function asSeen({ principal }: InWorkspace, row: EndedRunRow, sees: (issueId: string | null) => boolean): EndedRunRow {
  const isSeen = sees(row.issue_id);
  const seesAll = isAdmin(principal.role) && principal.project_ids === null;
  if (!isSeen) {
    const actions_applied = row.actions_applied?.map((one) => ({ ...one, issue_id: null, detail: null })) ?? null;
    return { ...row, actions_applied, issue_id: null, issue_key: null, detail: null };
  }
  const hidden = new Set<string | null>();
  const shown = (one: Applied): Applied => {
    const isTarget = sees(one.issue_id);
    if (isTarget && (seesAll || !NAMING_OTHERS.includes(one.type))) return one;
    hidden.add(one.detail);
    return { ...one, issue_id: isTarget ? one.issue_id : null, detail: null };
  };
  const actions_applied = row.actions_applied?.map(shown) ?? null;
  // The run repeats the detail of the first action that failed.
  return { ...row, actions_applied, detail: hidden.has(row.detail) ? null : row.detail };
}
