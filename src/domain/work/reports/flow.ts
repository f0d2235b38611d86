import type { InProject } from "../../kernel/context.ts";
import { dayIn, startOfDayIn } from "../../kernel/locale.ts";
import { addDays } from "./days.ts";
import { type CycleTimes, cyclesByPeriod, cycleTimes, doneIssues, flowByPeriod } from "./flow.sql.ts";
import type { ReportParams } from "./params.ts";
import { type Period, periodsOf, rangeOf } from "./periods.ts";
import { average } from "./rounded.ts";
import type { CyclePeriod, DataOf, ThroughputWeek } from "./views.ts";

const CYCLE_DAYS = 90;

/** Maximum number of issues in a reply. Twice as many would block other calls for 50 ms. */
const MAX_ISSUES = 10_000;

/** Bounds of the buckets, in days. */
const BOUNDS = [1, 3, 7, 14, 30];

/** Returns the cycle times of issues that were done in a range, or else in the last 90 days. */
export async function cycleTime(ctx: InProject, params: ReportParams): Promise<DataOf["cycle-time"]> {
  const { since, until } = rangeOf(ctx.now, params, CYCLE_DAYS);
  // Periods begin at midnight.
  const firstDay = dayIn(since, params.timezone);
  const range = { since: params.interval ? startOfDayIn(firstDay, params.timezone) : since, until };
  const { percentiles, counts, ...figures } = await cycleTimes(ctx, range, BOUNDS);
  const [p50 = null, p75 = null, p85 = null, p95 = null] = percentiles ?? [];
  const issues = await doneIssues(ctx, range, MAX_ISSUES);
  if (figures.count > MAX_ISSUES) {
    const message = `issues contains only the ${MAX_ISSUES} most recently done issues. The figures count all issues.`;
    ctx.warnings.push({ code: "rows_left_out", message, rows: MAX_ISSUES, of: figures.count });
  }
  const periods = params.interval ? await cyclePeriods(ctx, { ...params, from: firstDay }) : [];
  return { ...figures, percentiles: { p50, p75, p85, p95 }, buckets: bucketsOf(counts), periods, issues };
}

async function cyclePeriods(ctx: InProject, params: ReportParams): Promise<CyclePeriod[]> {
  const periods = periodsOf(ctx.now, params);
  const rows = new Map(
    (await cyclesByPeriod(ctx, ...boundsOf(periods, params.timezone))).map((row) => [row.period, row]),
  );
  const none = { count: 0, average_hours: null, average_lead_hours: null, p50: null, p85: null };
  return periods.map(({ start, end }, index) => {
    const { period: _, ...figures } = rows.get(index) ?? { ...none, period: index };
    return { start, end, ...figures };
  });
}

/** The instants at which the periods begin, and at which the last one ends. */
const boundsOf = (periods: Period[], timezone: string): [starts: string[], until: string] => [
  periods.map(({ start }) => startOfDayIn(start, timezone)),
  startOfDayIn(addDays(periods.at(-1)!.end, 1), timezone),
];

const bucketsOf = (counts: CycleTimes["counts"]) =>
  counts.map((count, index) => {
    const min_days = BOUNDS[index - 1] ?? 0;
    const max_days = BOUNDS[index] ?? null;
    const label = max_days === null ? `≥${min_days}` : min_days === 0 ? `<${max_days}` : `${min_days}–${max_days}`;
    return { label, min_days, max_days, count };
  });

/**
 * Returns the issues created and resolved in each period, or else in the last twelve weeks. An issue counts in the period in
 * which it was last resolved.
 */
export async function throughput(ctx: InProject, params: ReportParams): Promise<DataOf["throughput"]> {
  const periods = periodsOf(ctx.now, params);
  const flow = new Map(
    (await flowByPeriod(ctx, ...boundsOf(periods, params.timezone), params.timezone)).map((row) => [row.period, row]),
  );
  const weeks = periods.map(({ start, end }, index): ThroughputWeek => {
    const { created = 0, done = 0, failed = 0, cancelled = 0, done_points = 0 } = flow.get(index) ?? {};
    const resolved = done + failed + cancelled;
    const net = created - resolved;
    return { week_start: start, week_end: end, created, resolved, done, failed, cancelled, net, done_points };
  });
  const total = (column: "created" | "resolved") => weeks.reduce((sum, week) => sum + week[column], 0);
  return {
    average_resolved: average(weeks.map(({ resolved }) => resolved)),
    total_created: total("created"),
    total_resolved: total("resolved"),
    weeks,
  };
}
