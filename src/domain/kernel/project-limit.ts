import { z } from "zod";
import type { InWorkspace } from "./context.ts";
import { refuse, refuseReference } from "./errors.ts";
import { findProjects } from "./project-limit.sql.ts";
import { reference } from "./wire.ts";

/** Input for the projects that a key or webhook is limited to: by id, key or slug; null for all projects. */
export const projectLimitInput = z.array(reference).min(1).max(100).nullable();

/**
 * Returns the ids of the projects that a body names. A limited key can only pass on projects that it has itself.
 * @throws Refusal invalid_reference, key_project_limit
 */
export async function readProjectLimit(ctx: InWorkspace, refs: string[] | null | undefined): Promise<string[] | null> {
  const own = ctx.principal.project_ids;
  if (!refs) {
    if (own) refuse("key_project_limit", { message: "The key is limited to some projects; name them in project_ids." });
    return null;
  }
  const ids = await findProjects(ctx.db, ctx.workspace.id, refs);
  const missing = ids.findIndex((id) => id === null || (own !== null && !own.includes(id)));
  if (missing !== -1) refuseReference(`/project_ids/${missing}`, refs[missing]);
  return [...new Set(ids as string[])];
}
