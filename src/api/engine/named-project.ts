import { readProjectAccess } from "../../domain/access/identity/project-access.sql.ts";
import { type ProjectAccess, seesProject } from "../../domain/kernel/belongs.ts";
import { refuse, refuseReference } from "../../domain/kernel/errors.ts";
import { checkProjectRole } from "./access.ts";
import type { InCall } from "./call.ts";
import { fieldsOf } from "./encode.ts";
import type { Operation } from "./operation.ts";

/**
 * The project that a body below the workspace names in `project_id`. It is checked like a project in a path, before the
 * handler runs. Keys limited to projects create nothing that belongs to the whole workspace.
 * @returns null if the body names no project
 * @throws Refusal invalid_reference, insufficient_role, archived, key_project_limit
 */
export async function readNamedProject(
  operation: Operation,
  ctx: InCall,
  input: unknown,
): Promise<ProjectAccess | null> {
  if (operation.head !== "W" || !operation.body) return null;
  if (!fieldsOf(operation.body)?.includes("project_id")) return null;
  const { project_id: named } = input as { project_id?: string | null };
  if (named == null) {
    const belongsToAll = named === null || operation.method === "POST";
    if (belongsToAll && ctx.principal.project_ids !== null) refuse("key_project_limit");
    return null;
  }
  const project = await readProjectAccess(ctx, named);
  if (!project || !seesProject(ctx.principal, project)) refuseReference("/project_id", named);
  checkProjectRole(operation, ctx.principal, project);
  if (project.archived_at) refuse("archived", { archived_at: project.archived_at });
  return project;
}
