import type { Background } from "../../events/background.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { workOn } from "../../kernel/leases.ts";
import { beginRuns } from "./begin.ts";
import { timedCandidate } from "./by-clock.ts";
import { type DueWatch, dueDatesReached, watchChecked, watches } from "./clock.sql.ts";
import { causeOfDueDate, DEFAULT_HOURS } from "./due-date.ts";
import { type Rule, ruleById } from "./rules.sql.ts";
import { readViews } from "./subject.ts";

/** Rows that are claimed at a time. */
const BATCH = 20;
const AT_ONCE = 2;
/** The longest time between two checks of an automation. A due date that is set in between may be found so late. */
const CHECK_MS = 60_000;

/**
 * Starts the runs of automations for issues that have become overdue or due soon.
 * @returns the workspaces with new runs, which wait for a job
 */
export async function watchDueDates(ctx: Background, stopping: AbortSignal): Promise<Set<string>> {
  const started = new Set<string>();
  for (let more = true; more && !stopping.aborted; ) {
    const claimed = await watches.claimDue(ctx.db, BATCH);
    const onError = ({ automation_id }: DueWatch, error: unknown) =>
      ctx.log.warn({ err: error, automation_id }, "due dates could not be checked for an automation yet");
    await workOn(claimed, { atOnce: AT_ONCE, stopping, onError }, async (watch) => {
      if (await check(ctx, watch)) started.add(watch.workspace_id);
    });
    more = claimed.length === BATCH;
  }
  return started;
}

/** Returns whether runs were started. */
async function check(ctx: Background, watch: DueWatch & Lease): Promise<boolean> {
  const rule = await ruleById(ctx.db, watch.workspace_id, watch.automation_id);
  const later = new Date(Date.parse(ctx.now) + CHECK_MS).toISOString();
  const hours = rule?.trigger === "issue.due_soon" ? (rule.config.hours_before ?? DEFAULT_HOURS) : null;
  const reached = rule ? await dueDatesReached(ctx.db, watch, hours, { from: watch.checked_until, to: later }) : [];
  const due = reached.filter(({ at, starts_at }) => at <= ctx.now && (hours === null || starts_at > ctx.now));
  const runs = rule && due.length > 0 ? await begin(ctx, watch, rule, due) : 0;
  const next = reached.find(({ at }) => at > ctx.now)?.at ?? later;
  await watchChecked(ctx.db, [watch], ctx.now, next);
  return runs > 0;
}

async function begin(ctx: Background, watch: DueWatch, rule: Rule, due: { id: string; due_at: string }[]) {
  const { workspace_id } = watch;
  const issues = await readViews(
    ctx,
    workspace_id,
    due.map(({ id }) => id),
  );
  const candidates = due.flatMap(({ id, due_at }) => {
    const issue = issues.get(id);
    return (issue && timedCandidate(ctx, rule, issue, causeOfDueDate(rule.trigger, id, due_at))) ?? [];
  });
  return (await beginRuns(ctx, workspace_id, candidates, null)).waiting;
}
