import { v5 } from "uuid";
import { actFor, actForInProject } from "../../access/identity/act-as.ts";
import type { Background } from "../../events/background.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { Lease } from "../../kernel/leases.sql.ts";
import { workOn } from "../../kernel/leases.ts";
import type { Cursor, Paging } from "../../kernel/paging.ts";
import { listPage } from "../../work/issues/list.ts";
import type { IssueView } from "../../work/issues/view.ts";
import { latestOccurrence, nextOccurrence } from "../automations/schedule.ts";
import { noteSkipped } from "./begin.sql.ts";
import { beginRuns } from "./begin.ts";
import { timedCandidate } from "./by-clock.ts";
import { type DueSchedule, scheduleStarted, schedules } from "./clock.sql.ts";
import { type Rule, ruleById } from "./rules.sql.ts";

/** Rows that are claimed at a time. */
const BATCH = 20;
const AT_ONCE = 2;
/** Issues for which one occurrence of a schedule runs. */
const MAX_ISSUES = 200;

/**
 * Starts the runs of schedules. If several occurrences were missed, only the last one runs.
 * @returns the workspaces with new runs, which wait for a job
 */
export async function startSchedules(ctx: Background, stopping: AbortSignal): Promise<Set<string>> {
  const started = new Set<string>();
  for (let more = true; more && !stopping.aborted; ) {
    const claimed = await schedules.claimDue(ctx.db, BATCH);
    const onError = ({ id }: DueSchedule, error: unknown) =>
      ctx.log.warn({ err: error, automation_id: id }, "a schedule could not be started yet");
    await workOn(claimed, { atOnce: AT_ONCE, stopping, onError }, async (due) => {
      if (await start(ctx, due)) started.add(due.workspace_id);
    });
    more = claimed.length === BATCH;
  }
  return started;
}

/** Returns whether runs were started. The occurrence makes the cause, so starting it again adds no run. */
async function start(ctx: Background, due: DueSchedule & Lease): Promise<boolean> {
  const rule = await ruleById(ctx.db, due.workspace_id, due.id);
  if (!rule) return false;
  const schedule = { cron: rule.config.cron!, timezone: rule.config.timezone! };
  const occurrence = latestOccurrence(schedule, ctx.now);
  let runs = 0;
  if (occurrence !== null) {
    const cause = v5(`schedule ${occurrence}`, due.id);
    const about = await issuesOf(ctx, due, rule).catch(reasonOf);
    if (typeof about === "string") await noteSkipped(ctx, due.workspace_id, [due.id], about);
    const candidates = (typeof about === "string" ? [] : about).flatMap(
      (issue) => timedCandidate(ctx, rule, issue, cause) ?? [],
    );
    runs = (await beginRuns(ctx, due.workspace_id, candidates, null)).waiting;
  }
  await scheduleStarted(ctx.db, [due], nextOccurrence(schedule, ctx.now));
  return runs > 0;
}

const INVISIBLE = "The creator does not see the project of the filters, or the project is archived.";

/** The filters may name a label or a column that was deleted or renamed since. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal && error.is("invalid_parameter")) return `The filters: ${error.message}`;
  throw error;
}

/**
 * The issues that the filters match and the creator sees; one run without an issue if there are no filters. A text says
 * why the creator cannot list them.
 */
async function issuesOf(ctx: Background, due: DueSchedule, { config }: Rule): Promise<(IssueView | null)[] | string> {
  const { workspace_id: workspaceId, project_id, created_by: userId } = due;
  if (!config.filters || project_id === null) return [null];
  const creator = { workspaceId, userId, by: due, cause: {} };
  const acting = await actForInProject(ctx, creator, project_id);
  // The run of a creator who is gone, or of a key that has ended, says so.
  if (typeof acting === "string") return typeof (await actFor(ctx, creator)) === "string" ? [null] : INVISIBLE;
  // A page ends early where issues have long texts.
  const issues: IssueView[] = [];
  for (let after: Cursor | null = null; issues.length < MAX_ISSUES; ) {
    const paging: Paging = { limit: MAX_ISSUES - issues.length, after, cursor: (key) => JSON.stringify(key) };
    const page = await listPage(acting, { ...config.filters, paging });
    issues.push(...page.rows);
    if (page.next_cursor === null) break;
    after = JSON.parse(page.next_cursor) as Cursor;
  }
  return issues;
}
