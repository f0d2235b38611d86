import type { InWorkspace } from "../../kernel/context.ts";
import { refuse, refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { goalErrors } from "./errors.ts";
import { goalsUpFrom, heightOf } from "./hierarchy.sql.ts";

/** Maximum number of levels of goals, including the top one. */
export const MAX_DEPTH = 10;

/**
 * Returns the id of the goal that a body names as parent, after checking that a goal with all its descendants fits
 * under it. The caller has locked the workspace, so that two moves together cannot create a cycle.
 * @param goalId the goal that gets the parent; null if it is new
 * @throws Refusal invalid_reference, goal_cycle with the path, depth_limit_reached
 */
export async function parentNamed(ctx: InWorkspace, goalId: string | null, ref: string): Promise<string> {
  const path = "/parent_goal_id";
  const id = readId(ref);
  const above = id === null ? [] : await goalsUpFrom(ctx, id);
  if (id === null || above.length === 0) refuseReference(path, ref);
  if (goalId !== null && above.includes(goalId)) {
    refuse(goalErrors.goal_cycle, { path, cycle: above.slice(0, above.indexOf(goalId) + 1).reverse() });
  }
  const height = goalId === null ? 1 : await heightOf(ctx, goalId, MAX_DEPTH);
  if (above.length + height > MAX_DEPTH) refuse("depth_limit_reached", { path, max_depth: MAX_DEPTH });
  return id;
}
