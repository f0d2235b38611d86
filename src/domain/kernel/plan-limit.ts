import type { Writing } from "./context.ts";
import { refuse } from "./errors.ts";
import { lockWorkspace } from "./locks.sql.ts";
import { type Cap, PLANS } from "./plans.ts";
import type { Workspace } from "./rows.ts";

/**
 * Sees that the plan has room for one more. Of two who take the last place at once, the second waits for the first one's
 * commit and then counts it.
 * @throws Refusal plan_limit_reached
 */
export async function takePlace(
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
    message: `The plan ${plan} allows ${limit} ${cap.replaceAll("_", " ")}.`,
    plan,
    limit,
    used,
    required_plan: roomy ?? null,
  });
}
