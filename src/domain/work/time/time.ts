import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readIssue } from "../issues/change.sql.ts";
import { change } from "../issues/change.ts";
import { childrenSpent, readEntries } from "./entries.sql.ts";
import { addEntry } from "./entries.ts";
import type { TimePatchInput } from "./inputs.ts";
import type { TimeTrackingView } from "./view.ts";

/** An issue's estimate, time spent and time remaining. They are written by `change()` like all fields of an issue. */

const MAX_ENTRIES = 50;

export const read = (ctx: InIssue): Promise<TimeTrackingView> => viewOf(ctx, ctx.issue);

/** Changes the estimate or the time spent, or logs minutes. @throws Refusal mutually_exclusive, validation_failed */
export async function patch(ctx: InIssue & Writing, { log, ...wanted }: TimePatchInput): Promise<TimeTrackingView> {
  if (log && wanted.spent_minutes !== undefined) {
    refuse("mutually_exclusive", {
      message: "Send either spent_minutes or log.",
      fields: ["log", "spent_minutes"],
    });
  }
  if (log) await addEntry(ctx, log, "/log", wanted);
  else await change(ctx, wanted);
  return viewOf(ctx, await readIssue(ctx, ctx.issue.id));
}

async function viewOf(ctx: InIssue, issue: IssueRow): Promise<TimeTrackingView> {
  const { estimate_minutes: estimate, spent_minutes: spent } = issue;
  const left = estimate === null ? null : Math.max(0, estimate - (spent ?? 0));
  return {
    issue_key: issue.key,
    estimate_minutes: estimate,
    story_points: issue.story_points,
    spent_minutes: spent,
    completion_pct: issue.completion_pct,
    remaining_minutes: issue.remaining_minutes ?? left,
    agent_minutes: issue.agent_minutes,
    children_spent_minutes: await childrenSpent(ctx),
    entries: await readEntries(ctx, MAX_ENTRIES),
  };
}
