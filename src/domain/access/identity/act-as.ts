import type { Background } from "../../events/background.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { Actor, Cause, Ctx, InProject, InWorkspace } from "../../kernel/context.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { projectOf } from "./access-rows.ts";
import { type ActingUser, readActingUser } from "./act-as.sql.ts";

/** Every way to act: as a caller, or in a worker for somebody with the rights that they have at that moment. */

/** A person with their own rights. */
export const personOf = (user: { id: string; email: string | null; name: string | null }, role: Role): Principal => ({
  kind: "person",
  user_id: user.id,
  user_kind: "person",
  user_name: user.name,
  user_email: user.email,
  role,
  maker_role: role,
  project_ids: null,
});

/** An automation, workflow or form. It acts with the rights of a person, and events name it as their actor. */
export type Instrument = { kind: "automation" | "workflow" | "form"; id: string; name: string };

/** The same rights, used by an instrument. */
export const throughInstrument = (principal: Principal, { kind }: Instrument): Principal => ({ ...principal, kind });

/**
 * The context of work that a principal does in a workspace.
 * @param options.through the automation, workflow or form that acts, if the user does not act themselves
 */
export function actingAs<Base extends Ctx>(
  base: Base,
  principal: Principal,
  { workspace, cause, through }: { workspace: Workspace; cause: Cause; through?: Instrument },
): Base & InWorkspace {
  const { user_id, user_kind, user_name } = principal;
  const actor: Actor = through ?? { id: user_id, kind: user_kind === "agent" ? "agent" : "user", name: user_name };
  return { ...base, principal: through ? throughInstrument(principal, through) : principal, workspace, actor, cause };
}

/** For whom, where and why a worker acts. */
export type ActingFor = {
  workspaceId: string;
  /** The person or agent whose rights count. */
  userId: string;
  through?: Instrument;
  cause: Cause;
};

/**
 * Acts for a member of a workspace in a worker, with the rights that the member has now: nothing of an earlier moment
 * counts, so a job that waited does nothing that the member may no longer do.
 * @returns null if the user is not an active member any more; the caller ends the work and says so
 */
export async function actFor(
  base: Background,
  { workspaceId, userId, through, cause }: ActingFor,
): Promise<(Background & InWorkspace) | null> {
  const found = await readActingUser(base.db, { workspaceId, userId, projectId: null });
  return found && contextOf(base, found, { cause, ...(through ? { through } : {}) });
}

/**
 * As `actFor`, in one project.
 * @returns null also if the member cannot see the project, or the project is archived
 */
export async function actForInProject(
  base: Background,
  { workspaceId, userId, through, cause }: ActingFor,
  projectId: string,
): Promise<(Background & InProject) | null> {
  const found = await readActingUser(base.db, { workspaceId, userId, projectId });
  if (!found?.project) return null;
  const ctx = contextOf(base, found, { cause, ...(through ? { through } : {}) });
  const project = projectOf(found.project);
  return seesProject(ctx.principal, project) && !project.archived_at ? { ...ctx, project } : null;
}

const contextOf = (base: Background, found: ActingUser, how: { cause: Cause; through?: Instrument }) =>
  actingAs(base, principalOf(found), { workspace: found.workspace, ...how });

const principalOf = ({ user, role, maker_role }: ActingUser): Principal => ({
  kind: user.kind,
  user_id: user.id,
  user_kind: user.kind,
  user_name: user.name,
  user_email: user.email,
  role,
  maker_role,
  project_ids: null,
});
