import type { InProject } from "../../kernel/context.ts";
import { dayIn, startOfDayIn } from "../../kernel/locale.ts";
import { type BurningSprint, changesOfSprint, type DayOfChanges, sprintOf } from "./burndown.sql.ts";
import { addDays, daysBetween } from "./days.ts";
import type { ReportParams } from "./params.ts";
import { rounded } from "./rounded.ts";
import { planningOf } from "./sprints.sql.ts";
import { FIGURES } from "./tallies.sql.ts";
import type { BurndownPoint, DataOf, Unit } from "./views.ts";

const MAX_DAYS = 366;

/** Returns the remaining work of a sprint, or of the current one, at the end of each day; null if the project has no sprints. */
export async function burndown(ctx: InProject, params: ReportParams): Promise<DataOf["burndown"] | null> {
  const { unit } = await planningOf(ctx);
  const sprint = await sprintOf(ctx, params.sprint ?? null);
  if (!sprint) return null;
  const span = spanOf(sprint, ctx.now, params.timezone);
  const changes = span && (await changesOfSprint(ctx, sprint.id, span, params.timezone));
  return {
    sprint_id: sprint.id,
    sprint_name: sprint.name,
    start_at: sprint.start_at ?? sprint.started_at,
    end_at: sprint.end_at ?? sprint.completed_at,
    unit,
    points: changes ? pointsOf(changes, span, unit, params.timezone) : [],
  };
}

type Span = {
  /** When it started. Earlier history does not count as burned down. */
  began: string;
  /** The end of the history that counts. */
  until: string;
  /** The last day with figures. */
  known: string;
  /** The last day shown, and the day on which the ideal line reaches zero. */
  last: string;
  due: string;
};

/** Returns the time of a sprint; null if it has no beginning. Actual times take precedence over planned ones. */
function spanOf(sprint: BurningSprint, now: string, timezone: string): Span | null {
  const { status, start_on, end_on, end_at, started_at, completed_at } = sprint;
  const start_at = start_on === null ? sprint.start_at : startOfDayIn(start_on, timezone);
  const over = status === "completed" ? completed_at : null;
  const planned = started_at ?? start_at ?? over;
  if (!planned) return null;
  // It was completed before its planned start.
  const began = over && over < planned ? over : planned;

  const until = over ?? now;
  const known = dayIn(until, timezone);
  const first = dayIn(began, timezone);
  const due = latest(first, end_on ?? dayIn(end_at ?? until, timezone));
  // A completed sprint shows no future days. An active sprint that is late shows more days than planned.
  return { began, until, known, last: over ? latest(first, known) : latest(due, known), due };
}

const latest = (a: string, b: string) => (a > b ? a : b);
const earliest = (a: string, b: string) => (a < b ? a : b);

function pointsOf(
  changes: DayOfChanges[],
  { began, known, last, due }: Span,
  unit: Unit,
  timezone: string,
): BurndownPoint[] {
  const start = dayIn(began, timezone);
  // If the sprint is longer than the maximum, this shows the part that ends today; if it has just begun, its first
  // year.
  const end = earliest(last, latest(known, addDays(start, MAX_DAYS - 1)));
  const first = latest(start, addDays(end, 1 - MAX_DAYS));

  const total = { scope: nothing(), completed: nothing(), remaining: nothing() };
  let next = 0;
  const addUntil = (day: string) => {
    for (; next < changes.length && (changes[next]!.day ?? "") <= day; next++) {
      for (const figure of FIGURES) add(total[figure], changes[next]![figure]);
    }
  };
  addUntil("");
  const committed = total.scope[unit];
  const length = daysBetween(start, due);

  return Array.from({ length: daysBetween(first, end) + 1 }, (_, index): BurndownPoint => {
    const date = addDays(first, index);
    const left = length === 0 ? 0 : Math.max(0, 1 - daysBetween(start, date) / length);
    const ideal = rounded(committed * left);
    addUntil(date);
    return date > known ? { date, ideal, ...TO_COME } : { date, ideal, ...figuresOf(total, unit) };
  });
}

type Sums = DayOfChanges["scope"];

const nothing = (): Sums => ({ points: 0, minutes: 0, issues: 0 });

function add(to: Sums, change: Sums) {
  for (const unit of ["points", "minutes", "issues"] as const) to[unit] += change[unit];
}

const figuresOf = ({ scope, completed, remaining }: Record<(typeof FIGURES)[number], Sums>, unit: Unit) => ({
  scope: scope[unit],
  completed: completed[unit],
  remaining: remaining[unit],
  scope_issues: scope.issues,
  completed_issues: completed.issues,
  remaining_issues: remaining.issues,
  scope_points: scope.points,
  completed_points: completed.points,
  remaining_points: remaining.points,
});

const TO_COME = {
  scope: null,
  completed: null,
  remaining: null,
  scope_issues: null,
  completed_issues: null,
  remaining_issues: null,
  scope_points: null,
  completed_points: null,
  remaining_points: null,
};
