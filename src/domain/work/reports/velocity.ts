import type { InProject } from "../../kernel/context.ts";
import { average } from "./rounded.ts";
import { latestSprints, planningOf, type SprintFigures } from "./sprints.sql.ts";
import type { DataOf, Unit } from "./views.ts";

const MAX_SPRINTS = 12;

/** Returns what sprints committed to and completed; null if the project has no sprints. */
export async function velocity(ctx: InProject): Promise<DataOf["velocity"] | null> {
  const { unit, hasSprints } = await planningOf(ctx);
  if (!hasSprints) return null;
  const sprints = await latestSprints(ctx, { max: MAX_SPRINTS });
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
