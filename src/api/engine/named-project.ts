import type { z } from "zod";
import { readProjectAccess } from "../../domain/access/identity/project-access.sql.ts";
import { type ProjectAccess, seesProject } from "../../domain/kernel/belongs.ts";
import { refuse, refuseReference } from "../../domain/kernel/errors.ts";
import { checkProjectRole } from "./access.ts";
import type { InCall } from "./call.ts";
import { fieldsOf } from "./encode.ts";
import type { Operation } from "./operation.ts";

/** Fields of bodies that name the project of an object, by id, key or slug. A body has at most one of them. */
const FIELDS = ["project", "project_id"] as const;

/** The field with which a body names its object's project; undefined if it has none. */
export const projectField = (body: z.ZodType): (typeof FIELDS)[number] | undefined =>
  FIELDS.find((name) => fieldsOf(body)?.includes(name));

/**
 * The project that a body below the workspace names. It is checked like a project in a path, before the
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
  const field = projectField(operation.body);
  if (!field) return null;
  const { [field]: named } = input as { [Name in typeof field]?: string | null };
  if (named == null) {
    const belongsToAll = named === null || operation.method === "POST";
    if (belongsToAll && ctx.principal.project_ids !== null) refuse("key_project_limit");
    return null;
  }
  const project = await readProjectAccess(ctx, named);
  if (!project || !seesProject(ctx.principal, project)) refuseReference(`/${field}`, named);
  checkProjectRole(operation, ctx.principal, project);
  if (project.archived_at) refuse("archived", { archived_at: project.archived_at });
  return project;
}
