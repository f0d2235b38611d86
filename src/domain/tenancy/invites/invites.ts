import { roleOf } from "../../access/identity/users.sql.ts";
import { record } from "../../events/record.ts";
import type { Ctx, Writing } from "../../kernel/context.ts";
import { emailKey, shownEmail } from "../../kernel/email.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lockWorkspace } from "../../kernel/locks.sql.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { memberAdded } from "../workspaces/events.ts";
import { memberView } from "../workspaces/member-view.ts";
import { insertMember, readMember } from "../workspaces/members.sql.ts";
import { inviteErrors } from "./errors.ts";
import { inviteAccepted } from "./events.ts";
import { type InviteRole, inviteView } from "./invite-view.ts";
import {
  claimInvite,
  countGuests,
  type FoundInvite,
  findByToken,
  findForAddress,
  listForPerson,
  nameInProjects,
} from "./invites.sql.ts";
import { hashToken } from "./inviting.ts";

/** The invited person's side. inviting.ts has the inviter's side. */

export type Invitation = {
  workspace: Workspace;
  email: string;
  role: InviteRole;
  invited_by_name: string | null;
  expires_at: string;
  state: "pending" | "accepted" | "revoked" | "expired";
};

/**
 * How a person refers to an invite: by the token in their mail, or by its id in the list of invites to their address.
 */
export type InviteName = { token: string } | { id: string };

type Person = { id: string; email: string };

/** Null if there is no such invite, or if the id belongs to an invite for another person. */
export async function readInvite(ctx: Ctx, name: InviteName, person: Person | null): Promise<Invitation | null> {
  const invite = await find(ctx.db, name, person);
  return invite && invitationOf(invite, ctx.now);
}

const MAX_LISTED = 50;

/** Invites that a person can accept, mailed or not. Signing in has proved that the address is theirs. */
export async function invitesFor(ctx: Ctx, person: Person): Promise<(Invitation & { id: string })[]> {
  const rows = await listForPerson(ctx.db, person, ctx.now, MAX_LISTED);
  return rows.map((row) => ({ id: row.id, ...invitationOf(row, ctx.now) }));
}

async function find(db: Db, name: InviteName, person: Person | null): Promise<FoundInvite | null> {
  if ("token" in name) return findByToken(db, hashToken(name.token));
  const id = readId(name.id);
  return id && person ? findForAddress(db, id, person.email) : null;
}

function invitationOf(invite: FoundInvite, now: string): Invitation {
  const { workspace, email, role, invited_by_name, expires_at } = invite;
  return { workspace, email: shownEmail(email), role, invited_by_name, expires_at, state: stateOf(invite, now) };
}

/** Whether an invite is for this address. */
export const isFor = ({ email }: Pick<Invitation, "email">, user: { email: string }): boolean =>
  emailKey(email) === emailKey(user.email);

/**
 * Makes the signed-in person a member. Existing members keep their role, and accepting twice is harmless. `ctx.actor`
 * is that person.
 * @throws Refusal not_found, invite_for_another, invite_over, plan_limit_reached
 */
export async function acceptInvite(
  ctx: Writing,
  name: InviteName,
  user: Person,
): Promise<{ workspace: Workspace; joined: boolean }> {
  const invite = (await find(ctx.tx, name, user)) ?? refuse("not_found");
  const { workspace } = invite;
  if (!isFor(invite, user)) refuse(inviteErrors.invite_for_another);
  // The lock keeps the membership unchanged: no member is removed, and no other guest takes the last seat.
  await lockWorkspace(ctx, workspace.id);
  if (!(await claimInvite(ctx, invite, user.id))) {
    const now = (await find(ctx.tx, name, user))!;
    const again = now.accepted_by === user.id && (await roleOf(ctx.tx, workspace.id, user.id)) !== null;
    return again ? { workspace, joined: false } : refuse(inviteErrors.invite_over, { state: stateOf(now, ctx.now) });
  }

  const joined = await join(ctx, invite, user.id);
  record({ ...ctx, workspace }, inviteAccepted, inviteView(invite, "accepted"));
  return { workspace, joined };
}

async function join(ctx: Writing, invite: FoundInvite, userId: string): Promise<boolean> {
  const { workspace, role } = invite;
  if (!(await insertMember(ctx.tx, workspace.id, { userId, role, now: ctx.now }))) return false;
  if (role === "guest") {
    const here = { ...ctx, workspace };
    // The new guest is counted already. The plan may have been downgraded since the invite.
    await enforcePlanLimit(here, "guests", async () => (await countGuests(here, { invited: false })) - 1);
    await nameInProjects(ctx, invite, userId);
  }
  record({ ...ctx, workspace }, memberAdded, memberView(await readMember(ctx.tx, workspace.id, userId)));
  return true;
}

function stateOf({ accepted_at, revoked_at, expires_at }: FoundInvite, now: string): Invitation["state"] {
  if (accepted_at) return "accepted";
  if (revoked_at) return "revoked";
  return expires_at <= now ? "expired" : "pending";
}
