import type { Background } from "../../events/background.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { Actor, Cause, Ctx, InProject, InWorkspace } from "../../kernel/context.ts";
import { present } from "../../kernel/present.sql.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { projectOf } from "./access-rows.ts";
import { type ActingUser, readActingUser } from "./act-as.sql.ts";
import type { SetUpBy } from "./set-up-by.ts";

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
  key: null,
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

/** On whose behalf, within which limits, where and why a worker acts. */
export type ActingFor = {
  workspaceId: string;
  /** The person or agent whose rights apply. */
  userId: string;
  /** The credential within whose limits the work is done: the one that set it up. */
  by: SetUpBy;
  /** Projects that limit the work further. */
  within?: readonly string[] | null;
  through?: Instrument;
  cause: Cause;
};

/**
 * Why a worker cannot act.
 * - `rights`: the user is no longer an active member, is an agent that is paused or has no live key, or does not see the
 *   project
 * - `credential_ended`: the key within whose limits it acts was revoked, has expired, or is gone
 */
export type Unable = "rights" | "credential_ended";

/** What the people who read it are told. `what` set the work up, such as "the automation". */
export const unableText = (unable: Unable, what: string): string =>
  unable === "rights"
    ? `The creator of ${what} is no longer active in the workspace.`
    : `The key that set up ${what} was revoked or has expired. Save or enable it again to take it over.`;

/**
 * The context of a worker that acts on behalf of a member. Only the member's current rights count, and only within the
 * limits of the credential that set up the work: a delayed job cannot do what the member, or the key, may not do now.
 */
export async function actFor(base: Background, acting: ActingFor): Promise<(Background & InWorkspace) | Unable> {
  const { workspaceId, userId, by } = acting;
  const found = await readActingUser(base.db, { workspaceId, userId, projectId: null, keyId: by.key_id });
  return unableOf(found) ?? contextOf(base, found!, acting);
}

/** As `actFor`, in one project. `rights` also if the member or the key does not see the project, or it is archived. */
export async function actForInProject<Base extends Ctx>(
  base: Base,
  acting: ActingFor,
  projectId: string,
): Promise<(Base & InProject) | Unable> {
  const { workspaceId, userId, by } = acting;
  const found = await readActingUser(base.db, { workspaceId, userId, projectId, keyId: by.key_id });
  const unable = unableOf(found);
  if (unable !== null) return unable;
  if (!found?.project) return "rights";
  const ctx = contextOf(base, found, acting);
  const project = projectOf(found.project);
  return seesProject(ctx.principal, project) && !project.archived_at ? { ...ctx, project } : "rights";
}

function unableOf(found: ActingUser | null): Unable | null {
  if (!found || found.agent?.paused) return "rights";
  return found.key_ended ? "credential_ended" : null;
}

function contextOf<Base extends Ctx>(base: Base, found: ActingUser, { by, within, through, cause }: ActingFor) {
  const { user, role, maker_role, agent, workspace } = found;
  const principal: Principal = {
    kind: user.kind,
    user_id: user.id,
    user_kind: user.kind,
    user_name: user.name,
    user_email: user.email,
    role,
    maker_role,
    project_ids: both(found.project_ids, within ?? null),
    key: by.key_id === null ? null : { id: by.key_id, scopes: by.key_scopes ?? [] },
    ...(agent ? { agent } : {}),
  };
  return actingAs(base, principal, { workspace, cause, ...(through ? { through } : {}) });
}

/** The projects that two limits allow. Null: all. */
const both = (one: readonly string[] | null, other: readonly string[] | null): string[] | null => {
  if (one === null || other === null) return (one ?? other) && [...(one ?? other)!];
  return one.filter((id) => other.includes(id));
};
