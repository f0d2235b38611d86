import { z } from "zod";
import type { User } from "../../access/identity/users.sql.ts";
import { createUser } from "../../access/identity/users.ts";
import { audit } from "../../events/audit/audit.ts";
import type { Writing } from "../../kernel/context.ts";
import { emailInput } from "../../kernel/email.ts";
import { refuse } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { PLANS } from "../../kernel/plans.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { workspaceSlug } from "../../kernel/slug.ts";
import { line } from "../../kernel/wire.ts";
import { insertWorkspace, workspaceIdOf } from "./create.sql.ts";
import { workspaceCreated } from "./events.ts";
import { insertMember } from "./members.sql.ts";

/** Input of the operator's commands and the demo. */
export const WorkspaceCreateInput = z.strictObject({
  slug: workspaceSlug,
  name: line(1, 100),
  plan: z.enum(PLANS),
  owner: z.strictObject({ email: emailInput, name: line(1, 100).nullable().optional() }),
});
export type WorkspaceCreateInput = z.output<typeof WorkspaceCreateInput>;

/**
 * Creates a workspace with its owner. No event is recorded, because no webhook can exist yet.
 * @throws Refusal already_exists
 */
export async function createWorkspace(
  ctx: Writing,
  { slug, name, plan, owner }: WorkspaceCreateInput,
): Promise<{ workspace: Workspace; owner: User }> {
  const workspace = await insertWorkspace(ctx.db, { id: newId(), slug, name, plan }, ctx.now);
  if (!workspace) {
    const existing = await workspaceIdOf(ctx.db, slug);
    refuse("already_exists", { message: `A workspace ${slug} exists.`, existing_id: existing, path: "/slug" });
  }
  const user = await createUser(ctx, owner);
  await insertMember(ctx.db, workspace.id, { userId: user.id, role: "owner", now: ctx.now });
  audit({ ...ctx, workspace }, workspaceCreated, workspace, { plan: [null, plan], owner: [null, user.email] });
  return { workspace, owner: user };
}
