import type { InWorkspace } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { hasPortfolio } from "../portfolios/portfolios.sql.ts";
import { parentNamed } from "./hierarchy.ts";
import type { GoalPatchInput } from "./inputs.ts";
import type { GoalView } from "./view.ts";

type Named = Pick<GoalView, "portfolio_id" | "parent_goal_id" | "owner_user_id">;

/**
 * The objects that a body names, as ids. Fields that the body leaves out are `undefined`, and a field that names the
 * present object is not checked again.
 * @param before the goal as it is; null if it is new
 * @throws Refusal invalid_reference, goal_cycle, depth_limit_reached
 */
export async function namedBy(
  ctx: InWorkspace,
  before: (Named & { id: string }) | null,
  { portfolio_id, parent_goal_id, owner_user_id }: Pick<GoalPatchInput, keyof Named>,
): Promise<{ [Field in keyof Named]: Named[Field] | undefined }> {
  return {
    portfolio_id:
      portfolio_id && portfolio_id !== before?.portfolio_id ? await portfolioNamed(ctx, portfolio_id) : portfolio_id,
    parent_goal_id:
      parent_goal_id && parent_goal_id !== before?.parent_goal_id
        ? await parentNamed(ctx, before?.id ?? null, parent_goal_id)
        : parent_goal_id,
    owner_user_id: await ownerNamed(ctx, before?.owner_user_id ?? null, owner_user_id),
  };
}

async function portfolioNamed(ctx: InWorkspace, ref: string): Promise<string> {
  const id = readId(ref);
  return id && (await hasPortfolio(ctx, id)) ? id : refuseReference("/portfolio_id", ref);
}

/**
 * The person or agent whom a body names as responsible. It must be somebody who sees goals. The present one may stay in
 * any case, so that a client can send back what it has read.
 * @param present user id
 * @throws Refusal invalid_reference
 */
export async function ownerNamed<Ref extends string | null | undefined>(
  ctx: InWorkspace,
  present: string | null,
  ref: Ref,
  path = "/owner_user_id",
): Promise<string | Exclude<Ref, string>> {
  if (typeof ref !== "string") return ref as Exclude<Ref, string>;
  if (present !== null && readId(ref) === present) return present;
  const found = await findPeople(ctx.db, ctx.workspace.id, [ref], ctx.principal, "members");
  return found.get(referenceKey(ref))?.id ?? refuseReference(path, ref);
}
