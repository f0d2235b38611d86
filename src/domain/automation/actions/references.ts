import { readProjectAccess } from "../../access/identity/project-access.sql.ts";
import { categoryNamed } from "../../kernel/categories.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { findPeople, type People } from "../../tenancy/workspaces/members.sql.ts";
import type { Checking, Problem } from "./define.ts";
import { exists, hasCategory, type Named } from "./references.sql.ts";

/** Problems of parameters that name objects. */

const WORDS: Record<Named, string> = {
  status: "column",
  label: "label",
  sprint: "sprint",
  milestone: "milestone",
  release: "release",
  custom_field: "custom field",
};

export const missing = (path: string, what: string): Problem => ({
  path,
  code: "invalid_reference",
  message: `No ${what} with this id or name exists here, or you cannot see it. Correct the reference.`,
});

/** The problem of an object of a project that does not exist, or that the caller cannot see. */
export const namedProblems = async (ctx: Checking, path: string, kind: Named, ref: string): Promise<Problem[]> =>
  (await exists(ctx, kind, ref)) ? [] : [missing(path, WORDS[kind])];

/**
 * As `namedProblems`, for a column that is named by its category, id or name. One that is called like a category has to
 * be named by its id.
 */
export async function statusProblems(ctx: Checking, path: string, ref: string): Promise<Problem[]> {
  const category = categoryNamed(ref);
  if (category === null) return namedProblems(ctx, path, "status", ref);
  return (await hasCategory(ctx, category)) ? [] : [missing(path, "column")];
}

/** The problems of people and agents who are no members, or do not see the project. */
export async function peopleProblems(
  ctx: Checking,
  people: readonly (readonly [path: string, ref: string])[],
): Promise<Problem[]> {
  const found = await peopleNamed(
    ctx,
    people.map(([, ref]) => ref),
  );
  return people.filter(([, ref]) => !found.has(referenceKey(ref))).map(([path]) => missing(path, "member or agent"));
}

export async function peopleNamed(ctx: Checking, refs: readonly string[]): Promise<People> {
  const project = ctx.projectId === null ? null : await readProjectAccess(ctx, ctx.projectId);
  return findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, project ? { project } : "workspace");
}
