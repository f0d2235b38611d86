import type { Background } from "../../events/background.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { Actor, Cause, Ctx, InProject, InWorkspace } from "../../kernel/context.ts";
import { present } from "../../kernel/present.sql.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { projectOf } from "./access-rows.ts";
import { type ActingUser, readActingUser } from "./act-as.sql.ts";

/**
 * The ways to act: as the caller of a request, or in a worker on behalf of a user with that user's current rights.
 */

/** The principal of a person with their own rights. */
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

/** An automation, workflow or form. It acts with the rights of a person, and events name it as the actor. */
export type Instrument = { kind: "automation" | "workflow" | "form"; id: string; name: string };

/** The same rights, used by an instrument. */
export const throughInstrument = (principal: Principal, { kind }: Instrument): Principal => ({ ...principal, kind });

/**
 * The context of a principal's work in a workspace.
 * @param options.through the automation, workflow or form that acts for the user, if any
 */
export function actingAs<Base extends Ctx>(
  base: Base,
  principal: Principal,
  { workspace, cause, through }: { workspace: Workspace; cause: Cause; through?: Instrument },
): Base & InWorkspace {
  const { user_id, user_kind, user_name } = principal;
  const actor: Actor = through ?? { id: user_id, kind: user_kind === "agent" ? "agent" : "user", name: user_name };
  const acting = through ? throughInstrument(principal, through) : principal;
  return { ...base, db: present(base.db, workspace), principal: acting, workspace, actor, cause };
}

/** On whose behalf, where and why a worker acts. */
export type ActingFor = {
  workspaceId: string;
  /** The person or agent whose rights apply. */
  userId: string;
  through?: Instrument;
  cause: Cause;
};

/**
 * The context of a worker that acts on behalf of a member. Only the member's current rights count: a delayed job
 * cannot do what the member may no longer do.
 * @returns null if the user is no longer an active member, or a paused agent; the caller must end the work and report it
 */
export async function actFor(
  base: Background,
  { workspaceId, userId, through, cause }: ActingFor,
): Promise<(Background & InWorkspace) | null> {
  const found = await readActingUser(base.db, { workspaceId, userId, projectId: null });
  return found && !found.agent?.paused ? contextOf(base, found, { cause, ...(through ? { through } : {}) }) : null;
}

/** As `actFor`, in one project. @returns null also if the member cannot see the project or the project is archived */
export async function actForInProject<Base extends Ctx>(
  base: Base,
  { workspaceId, userId, through, cause }: ActingFor,
  projectId: string,
): Promise<(Base & InProject) | null> {
  const found = await readActingUser(base.db, { workspaceId, userId, projectId });
  if (!found?.project || found.agent?.paused) return null;
  const ctx = contextOf(base, found, { cause, ...(through ? { through } : {}) });
  const project = projectOf(found.project);
  return seesProject(ctx.principal, project) && !project.archived_at ? { ...ctx, project } : null;
}

const contextOf = <Base extends Ctx>(base: Base, found: ActingUser, how: { cause: Cause; through?: Instrument }) =>
  actingAs(base, principalOf(found), { workspace: found.workspace, ...how });

const principalOf = ({ user, role, maker_role, agent }: ActingUser): Principal => ({
  kind: user.kind,
  user_id: user.id,
  user_kind: user.kind,
  user_name: user.name,
  user_email: user.email,
  role,
  maker_role,
  project_ids: null,
  ...(agent ? { agent } : {}),
});
