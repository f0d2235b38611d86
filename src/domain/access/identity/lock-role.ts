import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import type { Role } from "../../kernel/roles.ts";
import { roleOf } from "./users.sql.ts";

/**
 * Locks the membership of the workspace until the transaction ends and returns the caller's role, read under the
 * lock. A caller who was removed while waiting for the lock is rejected, so they create nothing that outlives their
 * removal.
 * @throws Refusal insufficient_role
 */
export async function lockRole(ctx: InWorkspace & Writing): Promise<Role> {
  await lockWorkspace(ctx, ctx.workspace.id);
  const role = await roleOf(ctx.tx, ctx.workspace.id, ctx.principal.user_id);
  return role ?? refuse("insufficient_role", { message: "You are no longer a member of this workspace.", role });
}
