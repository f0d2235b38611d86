import type { z } from "zod";
import { readProjectsAccess } from "../../domain/access/identity/project-access.sql.ts";
import { keysOfProjects } from "../../domain/access/identity/project-in-body.sql.ts";
import { type ProjectAccess, seesProject } from "../../domain/kernel/belongs.ts";
import { invalidReference, Refusal, refuse, refuseField } from "../../domain/kernel/errors.ts";
import { checkProjectRole } from "./access.ts";
import { attempt, decodeItems } from "./bulk.ts";
import type { InCall } from "./call.ts";
import { fieldsOf } from "./encode.ts";
import type { Operation } from "./operation.ts";

/** Fields of bodies that name the project of an object, by id, key or slug. A body has at most one of them. */
const FIELDS = ["project", "project_id"] as const;
type Field = (typeof FIELDS)[number];

/** The field with which a body names its object's project; undefined if it has none. */
export const projectField = (body: z.ZodType): Field | undefined =>
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
  const [project = null] = await namedProjects(operation, ctx, operation.body, [input]);
  if (project instanceof Refusal) throw project;
  return project;
}

/**
 * The items of a bulk call, and the project that each of them names. An item that is invalid, or that names a project
 * which the caller cannot see or change, affects only its own result.
 */
export async function readItems(
  operation: Operation,
  ctx: InCall,
  input: unknown,
  lenient: boolean,
): Promise<{ items: unknown[]; projects: (ProjectAccess | null)[] }> {
  const { item } = operation;
  if (!item) return { items: [], projects: [] };
  const decoded = decodeItems(ctx, item, (input as { items: unknown[] }).items, {
    lenient,
    shown: fieldsOf(operation.returns) ?? [],
  });
  const named = await namedProjects(operation, ctx, item, decoded);
  return {
    items: decoded.map((one, n) => (named[n] instanceof Refusal ? named[n] : one)),
    projects: decoded.map((_, n) => (named[n] instanceof Refusal ? null : (named[n] ?? null))),
  };
}

/** What each of these inputs names: a project, none, or one that is refused. Reads all projects with one statement. */
async function namedProjects(
  operation: Operation,
  ctx: InCall,
  schema: z.ZodType | undefined,
  inputs: readonly unknown[],
): Promise<(ProjectAccess | Refusal | null)[]> {
  const field = operation.head === "W" && schema ? projectField(schema) : undefined;
  if (!field) return [];
  const named = inputs.map((input) =>
    input instanceof Refusal ? undefined : (input as Partial<Record<Field, string | null>>)[field],
  );
  const refs = operation.inProject && named.includes(undefined) ? [await onlyProject(ctx, field)] : named;
  const projects = await readProjectsAccess(
    ctx,
    refs.flatMap((ref) => ref ?? []),
  );
  return refs.map((ref, n) =>
    inputs[n] instanceof Refusal || (ref == null && namesIssue(inputs[n]))
      ? null
      : attempt(() => check(operation, ctx, field, ref, projects)),
  );
}

/** Projects that a refusal names. */
const NAMED = 5;

/** The key of the only live project that the caller sees. @throws Refusal validation_failed, if it sees another number */
async function onlyProject(ctx: InCall, field: Field): Promise<string> {
  const [only, ...others] = await keysOfProjects(ctx, NAMED + 1);
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined) refuseField(`/${field}`, "required", "is required, and you see no live project.");
  const more = others.length === NAMED ? " and others" : "";
  const shown = [only, ...others].slice(0, NAMED);
  const message = `is required, because you see several projects: ${shown.join(", ")}${more}.`;
  return refuseField(`/${field}`, "required", message, { allowed: shown });
}

/** An object that belongs to an issue belongs to the issue's project, which the handler checks. */
const namesIssue = (input: unknown): boolean => {
  const { issue_key, issue_id } = input as { issue_key?: unknown; issue_id?: unknown };
  return Boolean(issue_key ?? issue_id);
};

function check(
  operation: Operation,
  ctx: InCall,
  field: Field,
  ref: string | null | undefined,
  projects: Map<string, ProjectAccess>,
): ProjectAccess | null {
  if (ref == null) {
    const belongsToAll = ref === null || operation.method === "POST";
    if (belongsToAll && ctx.principal.project_ids !== null) refuse("key_project_limit");
    return null;
  }
  const project = projects.get(ref);
  if (!project || !seesProject(ctx.principal, project)) throw invalidReference(`/${field}`, ref);
  checkProjectRole(operation, ctx.principal, project);
  if (project.archived_at) refuse("archived", { archived_at: project.archived_at });
  return project;
}
