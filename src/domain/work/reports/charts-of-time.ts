import { counted } from "../../kernel/counted.ts";
import type { ChartSeries } from "../../kernel/ports/chart.ts";
import type { Drawn } from "./charts.ts";
import { dayOf } from "./days.ts";
import type { DataOf, ReportView, Unit } from "./views.ts";

/** Charts of reports along time. */

const UNITS: Record<Unit, string> = { points: "Story points", minutes: "Minutes", issues: "Issues" };

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
/** `2026-10-03` → `3 Oct`. */
export const shortDay = (day: string): string => DAY.format(Date.parse(day));

export function burndownChart(data: DataOf["burndown"]): Drawn {
  const { sprint_name, unit, points } = data;
  const line = (
    name: string,
    as: ChartSeries["as"],
    tone: ChartSeries["tone"],
    column: "remaining" | "ideal" | "scope",
  ) => ({ name, as, tone, values: points.map((point) => point[column]) }) satisfies ChartSeries;
  const known = points.filter(({ remaining }) => remaining !== null);
  const [first, last] = [known[0], known.at(-1)];
  const amount = UNITS[unit].toLowerCase();
  return {
    of: sprint_name,
    along: "columns",
    unit: UNITS[unit],
    places: points.map(({ date }) => shortDay(date)),
    series: [
      line("Remaining", "line", "main", "remaining"),
      line("Ideal (dashed)", "dashed", "calm", "ideal"),
      line("Scope (steps)", "steps", "second", "scope"),
    ],
    nothing: "The sprint has not started yet.",
    description:
      first && last
        ? `On ${dayOf(first.date)}, ${first.remaining} ${amount} remained; on ${dayOf(last.date)}, ${last.remaining} of ${last.scope}. Ideal would be ${last.ideal}.`
        : "The sprint has not started yet.",
  };
}

/** Reports of sprints without estimates in numbers of issues: lines and bars of zeros would say nothing. */
export function shownOf(view: ReportView): ReportView {
  if (view.report === "burndown" && view.data !== null && !view.data.points.some(({ scope }) => (scope ?? 0) > 0))
    return { ...view, data: burndownInIssues(view.data) };
  if (
    view.report === "velocity" &&
    view.data !== null &&
    !view.data.bars.some((bar) => bar.committed + bar.completed > 0)
  )
    return { ...view, data: velocityInIssues(view.data) };
  return view;
}

function velocityInIssues({ bars, ...data }: DataOf["velocity"]): DataOf["velocity"] {
  const counts = bars.map((bar) => ({ ...bar, committed: bar.committed_issues, completed: bar.completed_issues }));
  const ended = counts.filter(({ status }) => status === "completed");
  const average = ended.reduce((sum, { completed }) => sum + completed, 0) / Math.max(ended.length, 1);
  return { ...data, unit: "issues", bars: counts, average: Math.round(average * 10) / 10 };
}

function burndownInIssues({ points, end_at, ...data }: DataOf["burndown"]): DataOf["burndown"] {
  const committed = points[0]?.scope_issues ?? 0;
  const days = points.filter(({ date }) => end_at === null || date < dayOf(end_at)).length;
  const drawn = points.map((point, index) => ({
    ...point,
    scope: point.scope_issues,
    completed: point.completed_issues,
    remaining: point.remaining_issues,
    ideal: days === 0 ? 0 : Math.round(committed * Math.max(0, 1 - index / days) * 10) / 10,
  }));
  return { ...data, end_at, unit: "issues", points: drawn };
}

export function velocityChart({ unit, average, bars }: DataOf["velocity"]): Drawn {
  const completed = bars.some(({ status }) => status === "completed");
  return {
    along: "columns",
    unit: UNITS[unit],
    places: bars.map(({ sprint_name, status }) => (status === "active" ? `${sprint_name} (active)` : sprint_name)),
    series: [
      { name: "Committed", as: "bars", tone: "calm", values: bars.map((bar) => bar.committed) },
      { name: "Completed", as: "bars", tone: "main", values: bars.map((bar) => bar.completed) },
    ],
    marks: completed ? [{ label: `Average ${average}`, value: average }] : [],
    nothing: "No sprint has started yet.",
    description: `${completed ? `On average ${average} ${UNITS[unit].toLowerCase()} a completed sprint. ` : ""}${bars.map((bar) => `${bar.sprint_name}: ${bar.completed} of ${bar.committed}`).join("; ")}.`,
  };
}

const inDays = (hours: number) => Math.round((hours / 24) * 10) / 10;

export function cycleTimeChart({ count, percentiles, issues }: DataOf["cycle-time"]): Drawn {
  const { p50, p75, p85, p95 } = percentiles;
  const marks = Object.entries({ "50": p50, "85": p85, "95": p95 }).flatMap(([share, hours]) =>
    hours === null ? [] : [{ label: `${share} % within ${inDays(hours)} d`, value: inDays(hours) }],
  );
  const dots = issues.flatMap(({ resolved_at, cycle_hours }) =>
    cycle_hours === null ? [] : [[Date.parse(resolved_at), Math.round((cycle_hours / 24) * 100) / 100] as const],
  );
  const all = [p50, p75, p85, p95].map((hours) => (hours === null ? "–" : String(inDays(hours)))).join(", ");
  return {
    along: "moments",
    unit: "Days from start to done",
    places: [],
    series: [{ name: "Issues", as: "dots", tone: "main", dots }],
    marks,
    nothing: "No issue was started and done in this time.",
    description: `${counted(count, "issue")} done. Percentiles 50, 75, 85 and 95 in days: ${all}.`,
  };
}

export function throughputChart({
  weeks,
  total_created,
  total_resolved,
  average_resolved,
}: DataOf["throughput"]): Drawn {
  const bars = (
    name: string,
    tone: ChartSeries["tone"],
    column: "created" | "done" | "failed" | "cancelled",
    stack: string,
  ) => ({ name, as: "bars", tone, stack, values: weeks.map((week) => week[column]) }) satisfies ChartSeries;
  const used = (column: "failed" | "cancelled") => weeks.some((week) => week[column] > 0);
  return {
    along: "columns",
    unit: "Issues",
    places: weeks.map(({ week_start }) => shortDay(week_start)),
    series: [
      bars("Created", "calm", "created", "in"),
      bars("Done", "good", "done", "out"),
      ...(used("failed") ? [bars("Failed", "bad", "failed", "out")] : []),
      ...(used("cancelled") ? [bars("Cancelled", "second", "cancelled", "out")] : []),
    ],
    marks: total_resolved > 0 ? [{ label: `Resolved on average ${average_resolved}`, value: average_resolved }] : [],
    description: `${total_created} created, ${total_resolved} resolved; on average ${average_resolved} in each period. ${weeks.map((week) => `From ${week.week_start}: ${week.created} created, ${week.resolved} resolved`).join("; ")}.`,
  };
}
