import type { IssueRow } from "../../access/identity/issue-row.ts";
import { withDays } from "../../kernel/whole-days.ts";
import type { Changes } from "./change.sql.ts";
import type { Change } from "./changes-for.ts";
import { ISSUE_DATES } from "./draft.ts";

/** Returns the changes of fields that are stored as sent. */
export function plainChanges(sent: Change, issue: IssueRow): Changes {
  const wanted = withDays(ISSUE_DATES, sent, issue);
  const { type, title, description_md, priority, estimate_minutes, story_points, spent_minutes } = wanted;
  const { completion_pct, start_at, start_on, due_at, due_on, external_source, external_id, remaining_minutes } =
    wanted;
  const plain = {
    type,
    title,
    description_md,
    priority,
    estimate_minutes,
    story_points,
    spent_minutes,
    remaining_minutes,
    completion_pct,
    start_at,
    start_on,
    due_at,
    due_on,
    external_source,
    external_id,
  };
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
}
