import type { InProject } from "../../kernel/context.ts";
import { own } from "../../kernel/own.ts";
import type { Column } from "./board.sql.ts";
import { boardOf, wipModeOf } from "./columns.ts";

/**
 * Ready work: issues on which somebody can start at once. docs/agents.md ("Ready work") has the rules; `ready.sql.ts`
 * has those that depend on the issue alone.
 */

/** For whom issues have to be ready, and the columns in which they may be. */
export type Readiness = { userId: string; columnIds: string[] };

/**
 * Columns from which work can start: those in progress, and those from which the board's rules allow a move to a column
 * in progress that has room.
 */
function columnsToStartFrom(ctx: InProject, columns: readonly Column[]): string[] {
  const enforced = wipModeOf(ctx) === "enforce";
  const hasRoom = ({ wip_limit, issue_count }: Column) => !enforced || wip_limit === null || issue_count < wip_limit;
  const targets = columns.filter((column) => column.category === "in_progress" && hasRoom(column));
  return columns
    .filter(({ id, category }) => {
      if (category === "in_progress") return true;
      if (category !== "backlog" && category !== "todo") return false;
      const allowed = own(ctx.project.transition_rules ?? {}, id);
      return targets.some((target) => !allowed || allowed.includes(target.id));
    })
    .map(({ id }) => id);
}

/** What makes issues ready for somebody, on the board as it is now. */
export const readinessFor = async (ctx: InProject, userId: string): Promise<Readiness> => ({
  userId,
  columnIds: columnsToStartFrom(ctx, await boardOf(ctx)()),
});
