import type { InProject } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { startOfDayIn } from "../../kernel/locale.ts";
import { addDays } from "./days.ts";
import type { ReportParams } from "./params.ts";
import { average } from "./rounded.ts";
import { latestSprints, planningOf, type SprintFigures } from "./sprints.sql.ts";
import type { DataOf, Unit } from "./views.ts";

/** Sprints without a range, and the maximum within one. */
const SPRINTS = 12;
const MAX_SPRINTS = 100;

/** Returns what sprints committed to and completed, those that began in a range or else the last ones; null if the project has no sprints. */
export async function velocity(
  ctx: InProject,
  { from, to, timezone }: ReportParams,
): Promise<DataOf["velocity"] | null> {
  const { unit, hasSprints } = await planningOf(ctx);
  if (!hasSprints) return null;
  const isRange = from !== undefined || to !== undefined;
  const range = {
    since: from === undefined ? null : startOfDayIn(from, timezone),
    until: to === undefined ? null : startOfDayIn(addDays(to, 1), timezone),
  };
  const sprints = await latestSprints(ctx, { max: isRange ? MAX_SPRINTS + 1 : SPRINTS, ...range });
  if (sprints.length > MAX_SPRINTS) {
    const message = `from: more than ${MAX_SPRINTS} sprints began in this time. Take a shorter one.`;
    refuse("invalid_parameter", { message, parameter: from === undefined ? "to" : "from", maximum: MAX_SPRINTS });
  }
  const bars = sprints.reverse().map((sprint) => barOf(sprint, unit));
  const completed = bars.filter(({ status }) => status === "completed").map((bar) => bar.completed);
  return { unit, average: average(completed), average_3: average(completed.slice(-3)), bars };
}

function barOf(sprint: SprintFigures, unit: Unit): DataOf["velocity"]["bars"][number] {
  const { committed_minutes: _c, completed_minutes: _d, open_issues: open, ...figures } = sprint;
  return {
    ...figures,
    committed: sprint[`committed_${unit}`],
    completed: sprint[`completed_${unit}`],
    // Open issues of an active sprint are not carried over yet.
    carried_over_issues: sprint.status === "completed" ? open : 0,
  };
}
