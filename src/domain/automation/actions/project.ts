import { projectOf } from "../../access/identity/access-rows.ts";
import { readActingUser } from "../../access/identity/act-as.sql.ts";
import { readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Project } from "../../kernel/rows.ts";

/** A live project by id, key or slug. Null if the person for whom the action runs cannot see it. */
export async function projectNamed(ctx: InWorkspace, ref: string): Promise<Project | null> {
  const access = await readProjectAccess(ctx, ref);
  if (!access || !seesProject(ctx.principal, access)) return null;
  const at = { workspaceId: ctx.workspace.id, userId: ctx.principal.user_id, projectId: access.id, keyId: null };
  const found = await readActingUser(ctx.db, at);
  const project = found?.project ? projectOf(found.project) : null;
  return project?.archived_at === null ? project : null;
}
