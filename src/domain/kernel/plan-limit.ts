import type { Writing } from "./context.ts";
import { refuse } from "./errors.ts";
import { lockWorkspace } from "./locks.sql.ts";
import { type Cap, PLANS } from "./plans.ts";
import type { Workspace } from "./rows.ts";

/**
 * Checks that the plan allows one more object, and locks the workspace until the transaction ends. If two calls create the
 * last allowed object at the same time, the second one waits for the first one's commit and then counts its object.
 * @throws Refusal plan_limit_reached
 */
export async function enforcePlanLimit(
  ctx: Writing & { workspace: Workspace },
  cap: Cap,
  count: () => Promise<number>,
): Promise<void> {
  const { plans } = ctx.settings;
  if (plans(ctx.workspace.plan, cap) === null) return;

  const plan = await lockWorkspace(ctx, ctx.workspace.id);
  const limit = plans(plan, cap);
  if (limit === null) return;
  const used = await count();
  if (used < limit) return;
  const roomy = PLANS.slice(PLANS.indexOf(plan) + 1).find((other) => (plans(other, cap) ?? Infinity) > limit);
  refuse("plan_limit_reached", {
    message: `The plan ${plan} allows ${limit} ${cap.replaceAll("_", " ")}. Remove one${roomy ? `, or upgrade to the plan ${roomy}` : ""}.`,
    plan,
    limit,
    used,
    required_plan: roomy ?? null,
  });
}
