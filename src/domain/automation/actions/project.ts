import { readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { readWholeProject } from "../../access/identity/project-in-body.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import type { Project } from "../../kernel/rows.ts";

/** A live project by id, key or slug. Null if the person for whom the action runs cannot see it. */
export async function projectNamed(ctx: InWorkspace, ref: string): Promise<Project | null> {
  const access = await readProjectAccess(ctx, ref);
  if (!access || !seesProject(ctx.principal, access)) return null;
  const project = await readWholeProject(ctx, access.id);
  return project?.archived_at === null ? project : null;
}
