import { v5 } from "uuid";
import type { Background } from "../../events/background.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { workOn } from "../../kernel/leases.ts";
import { notice } from "./notice.ts";
import {
  type IssueDue,
  issuesDue,
  moveReminders,
  type Reminder,
  remindedOver,
  remindedSoon,
  reminders,
} from "./reminders.sql.ts";
import { type PlacedNotice, writeNotices } from "./write.sql.ts";

/** Rows that are claimed at a time. */
const BATCH = 50;
const AT_ONCE = 2;

/**
 * Notifies the assignees of issues that are due within 24 hours or overdue, or the reporter of an issue without assignees.
 * Returns how many due dates were announced.
 */
export async function remindDue(ctx: Background, stopping: AbortSignal): Promise<number> {
  for (let more = true; more && !stopping.aborted; ) more = await moveReminders(ctx.db);
  let total = 0;
  for (let more = true; more && !stopping.aborted; ) {
    const claimed = await reminders.claimDue(ctx.db, BATCH);
    const byWorkspace = [...Map.groupBy(claimed, ({ workspace_id }) => workspace_id)];
    const onError = ([workspace_id]: (typeof byWorkspace)[number], error: unknown) =>
      ctx.log.warn({ err: error, workspace_id }, "due dates of issues could not be announced yet");
    await workOn(byWorkspace, { atOnce: AT_ONCE, stopping, onError }, async ([workspaceId, claims]) => {
      await remindIn(ctx, workspaceId, claims);
      total += claims.length;
    });
    more = claimed.length === BATCH;
  }
  return total;
}

async function remindIn({ db }: Background, workspaceId: string, claims: (Reminder & Lease)[]): Promise<void> {
  const issues = new Map((await issuesDue(db, workspaceId, claims)).map((issue) => [issue.id, issue]));
  const notices = claims.flatMap((claim, place) => {
    const issue = issues.get(claim.issue_id);
    return issue ? [noticeOf(claim, issue, place)] : [];
  });
  if (notices.length > 0) await writeNotices(db, workspaceId, notices);
  // One by one, because a change of many issues may hold several of these rows, and two statements that wait for each
  // other's rows would fail.
  for (const claim of claims) await (claim.is_over ? remindedOver : remindedSoon)(db, [claim]);
}

/** The cause is the issue's due date, so each date notifies once of each kind. */
function noticeOf(
  { issue_id, due_at, is_over }: Reminder,
  { key, title, due_on }: IssueDue,
  place: number,
): PlacedNotice {
  const kind = is_over ? "overdue" : "due_soon";
  const text = `${key} is ${is_over ? "overdue since" : "due on"}${due_on === null ? "" : ` ${due_on}`}`;
  return {
    ...notice(kind, { issue_id }, { circle: "responsible", title: text, body: title }),
    ...{ cause_id: v5(`${kind} ${due_at}`, issue_id), place, actor_id: null, actor_name: null },
    title_time: due_on === null ? due_at : null,
  };
}
