import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import type { Role } from "../../kernel/roles.ts";
import { roleOf } from "./users.sql.ts";

/**
 * Holds who is in the workspace as what until the transaction ends, and answers the caller's role, read under that lock:
 * whoever was removed while they waited for it gets nothing that would outlive their removal.
 * @throws Refusal insufficient_role
 */
export async function holdRole(ctx: InWorkspace & Writing): Promise<Role> {
  await lockWorkspace(ctx, ctx.workspace.id);
  const role = await roleOf(ctx.tx, ctx.workspace.id, ctx.principal.user_id);
  return role ?? refuse("insufficient_role", { message: "You are not a member of this workspace any more.", role });
}
