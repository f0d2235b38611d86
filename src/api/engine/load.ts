import { type Found, projectOf, sees } from "../../domain/kernel/belongs.ts";
import { own } from "../../domain/kernel/own.ts";
import { checkProjectRole } from "./access.ts";
import type { InCall } from "./call.ts";
import { refuseMissing } from "./missing.ts";
import type { Operation } from "./operation.ts";

/** The objects that the path names below its workspace, project or issue. */
export type Loaded = {
  parent: unknown;
  on: unknown;
  /** When the project of a loaded object was archived. */
  archivedAt: string | null;
};

/**
 * Loads the objects that the path names below its head: `within` loads the parent, then `on` loads the object itself.
 * Below the workspace, a loader also returns the project or audience of the object, and the engine decides here
 * whether the caller may see and change it. Objects below a project belong to that project, which was checked before.
 * @throws Refusal not_found, insufficient_role
 */
export async function load(
  operation: Operation,
  ctx: InCall,
  params: Record<string, string>,
  fields: readonly string[] = [],
): Promise<Loaded> {
  const { within, on, ownParams, head } = operation;
  let archivedAt: string | null = null;
  const judge = (found: unknown, parameter: string): unknown => {
    if (!found) refuseMissing(parameter, params);
    if (head !== "W") return found;
    const owned = found as Found<unknown>;
    if (!sees(ctx.principal, owned)) refuseMissing(parameter, params);
    const project = projectOf(owned);
    // Guests have rights only in projects.
    checkProjectRole(operation, ctx.principal, project ?? { role: null });
    archivedAt ??= project?.archived_at ?? null;
    return owned.object;
  };
  const [first = "", second = ""] = ownParams;
  const parent = within && judge(await within(ctx, own(params, first)!), first);
  const name = within ? second : first;
  const object = on && judge(await on(ctx, own(params, name)!, parent, fields), name);
  return { parent, on: object, archivedAt };
}
