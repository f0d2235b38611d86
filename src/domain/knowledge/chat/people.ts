import type { ProjectAccess } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { referenceKey } from "../../kernel/ids.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";

/**
 * Ids of the people and agents whom a body names by id, e-mail or `me`. They must be able to see the project of the channel
 * or, without one, must not be guests.
 * @throws Refusal invalid_reference
 */
export async function peopleNamed(
  ctx: InWorkspace,
  refs: readonly string[],
  project: Pick<ProjectAccess, "id" | "scoped"> | null,
  pathOf: (n: number) => string,
): Promise<string[]> {
  const among = project === null ? "members" : { project };
  const people = await findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, among);
  const ids = refs.map((ref, n) => people.get(referenceKey(ref))?.id ?? refuseReference(pathOf(n), ref));
  return [...new Set(ids)];
}
