import type { InProject } from "../../kernel/context.ts";
import { addDays, dayOf, mondayOf } from "./days.ts";
import { type CycleTimes, cycleTimes, doneIssues, flowByWeek } from "./flow.sql.ts";
import { average } from "./rounded.ts";
import type { DataOf, ThroughputWeek } from "./views.ts";

const CYCLE_DAYS = 90;
const DAY_MS = 86_400_000;

/** Maximum number of issues in a reply. Twice as many would block other calls for 50 ms. */
const MAX_ISSUES = 10_000;

/** Bounds of the buckets, in days. */
const BOUNDS = [1, 3, 7, 14, 30];

/** Returns the cycle times of issues that were done in the last 90 days. */
export async function cycleTime(ctx: InProject): Promise<DataOf["cycle-time"]> {
  const since = new Date(Date.parse(ctx.now) - CYCLE_DAYS * DAY_MS).toISOString();
  const { percentiles, counts, ...figures } = await cycleTimes(ctx, since, BOUNDS);
  const [p50 = null, p75 = null, p85 = null, p95 = null] = percentiles ?? [];
  const issues = await doneIssues(ctx, since, MAX_ISSUES);
  if (figures.count > MAX_ISSUES) {
    const message = `issues contains only the ${MAX_ISSUES} most recently done issues. The figures count all issues.`;
    ctx.warnings.push({ code: "rows_left_out", message, rows: MAX_ISSUES, of: figures.count });
  }
  return { ...figures, percentiles: { p50, p75, p85, p95 }, buckets: bucketsOf(counts), issues };
}

const bucketsOf = (counts: CycleTimes["counts"]) =>
  counts.map((count, index) => {
    const min_days = BOUNDS[index - 1] ?? 0;
    const max_days = BOUNDS[index] ?? null;
    const label = max_days === null ? `≥${min_days}` : min_days === 0 ? `<${max_days}` : `${min_days}–${max_days}`;
    return { label, min_days, max_days, count };
  });

const WEEKS = 12;

/**
 * Returns the issues created and resolved in the last twelve weeks. An issue counts in the week in which it was last
 * resolved.
 */
export async function throughput(ctx: InProject): Promise<DataOf["throughput"]> {
  const first = addDays(mondayOf(dayOf(ctx.now)), -7 * (WEEKS - 1));
  const flow = new Map((await flowByWeek(ctx, first)).map((row) => [row.week, row]));
  const weeks = Array.from({ length: WEEKS }, (_, index): ThroughputWeek => {
    const { created = 0, done = 0, failed = 0, cancelled = 0, done_points = 0 } = flow.get(index) ?? {};
    const resolved = done + failed + cancelled;
    const week_start = addDays(first, 7 * index);
    const week_end = addDays(week_start, 6);
    return { week_start, week_end, created, resolved, done, failed, cancelled, net: created - resolved, done_points };
  });
  const total = (column: "created" | "resolved") => weeks.reduce((sum, week) => sum + week[column], 0);
  return {
    average_resolved: average(weeks.map(({ resolved }) => resolved)),
    total_created: total("created"),
    total_resolved: total("resolved"),
    weeks,
  };
}
