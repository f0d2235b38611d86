import { hash, randomBytes } from "node:crypto";
import { writeMail } from "../../events/mail/mail.ts";
import { record } from "../../events/record.ts";
import { type Found, ofWorkspace } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { counted } from "../../kernel/counted.ts";
import { refuse, refuseField, refuseReference } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { enforcePlanLimit } from "../../kernel/plan-limit.ts";
import { findProjects } from "../../kernel/project-limit.sql.ts";
import { lockMembers } from "../workspaces/roles.ts";
import { inviteErrors } from "./errors.ts";
import { inviteCreated } from "./events.ts";
import { inviteMail } from "./invite-mail.ts";
import { INVITE_DAYS, type InviteCreateInput, type InviteView, inviteView } from "./invite-view.ts";
import {
  countGuests,
  countInvitesSent,
  findPending,
  type InvitesSent,
  insertInvite,
  listPending,
  memberByEmail,
  takeTokenHash,
} from "./invites.sql.ts";
import { revokeInvite, revokeInviteFor } from "./revoke-invites.ts";

/** The inviter's side. invites.ts has the invited person's side. */

/** Pending invites, newest first. */
export async function listPage(ctx: InWorkspace, paging: Paging) {
  const rows = await listPending(ctx, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.created_at, row.id]);
  return { rows: page.rows.map((row) => inviteView(row)), next_cursor: page.next_cursor };
}

/** Loads a pending invite and locks the membership of the workspace until the transaction ends. */
export async function read(ctx: InWorkspace, text: string): Promise<Found<InviteView> | null> {
  const id = readId(text);
  const row = id && (await findPending(ctx, id));
  return ofWorkspace(row && inviteView(row));
}

export async function lockById(ctx: InWorkspace & Writing, text: string): Promise<Found<InviteView> | null> {
  await lockMembers(ctx);
  const id = readId(text);
  const row = id && (await findPending(ctx, id));
  return ofWorkspace(row && inviteView(row));
}

/**
 * Invites an address and replaces its open invite, if any. Sends a mail unless the address got too many today. The
 * token is only in that mail.
 * @throws Refusal already_member, invalid_reference, plan_limit_reached, rate_limited, validation_failed, and those
 * of lockMembers
 */
export async function invite(ctx: InWorkspace & Writing, input: InviteCreateInput): Promise<InviteView> {
  // The lock also serialises two invites to one address: the second finds and replaces the first.
  await lockMembers(ctx);
  const { email, role } = input;
  const member = await memberByEmail(ctx.tx, ctx.workspace.id, email);
  if (member) refuse(inviteErrors.already_member, { path: "/email", user_id: member });
  const project_ids = await projectsFor(ctx, input);
  const sent = await countInvitesSent(ctx, email, new Date(Date.parse(ctx.now) - 86_400_000).toISOString());
  refuseFlood(ctx, sent);
  const mailed = mayMail(sent);
  const replaced = await revokeInviteFor(ctx, email);
  if (role === "guest") await enforcePlanLimit(ctx, "guests", () => countGuests(ctx, { invited: true }));

  const token = randomBytes(32).toString("base64url");
  const token_hash = mailed || !replaced ? hashToken(token) : await takeTokenHash(ctx, replaced.id);
  const id = newId();
  const expires_at = new Date(Date.parse(ctx.now) + INVITE_DAYS * 86_400_000).toISOString();
  const message = input.message?.trim() || null;
  const stored = { id, email, role, project_ids, message, expires_at, replaced_invite_id: replaced?.id ?? null };
  await insertInvite(ctx, { ...stored, token_hash, mailed });
  if (mailed) {
    const content = inviteMail(ctx, { role, message, token });
    await writeMail(ctx, { kind: "invite", workspaceId: ctx.workspace.id, to: email, content, expiresAt: expires_at });
  }
  const view = inviteView((await findPending(ctx, id))!);
  record(ctx, inviteCreated, view);
  return view;
}

/** Invites to one address from one workspace within a day. */
const MAX_FROM_WORKSPACE = 10;
/** Mails about invites to one address within a day, from all senders. */
const MAX_MAILS = 10;
/** Above that limit, the address still gets the first mail of the day from each new sender, up to this many. */
const MAX_FIRST_MAILS = 50;

/** Each limit counts only the caller's own invites, so that no error reveals what others did. */
function refuseFlood({ settings }: InWorkspace, { byPerson, fromHere }: InvitesSent): void {
  const { invitesPerDay } = settings.people;
  if (byPerson < invitesPerDay && fromHere < MAX_FROM_WORKSPACE) return;
  refuse("rate_limited", {
    message:
      byPerson < invitesPerDay
        ? `This workspace invited the address ${MAX_FROM_WORKSPACE} times within a day. The newest invite still works.`
        : `You may send ${counted(invitesPerDay, "invite")} per day. Continue tomorrow.`,
    "violated-policies": ["invites"],
    headers: { "Retry-After": "3600" },
  });
}

/**
 * Whether to mail an invite. An invite that is not mailed is still valid: the person finds it after signing in, and a
 * link from an earlier mail opens it.
 */
const mayMail = ({ mailed, mailedByUs }: InvitesSent): boolean =>
  mailed < (mailedByUs === 0 ? MAX_FIRST_MAILS : MAX_MAILS);

/** @throws Refusal not_found */
export async function revoke(ctx: InWorkspace & Writing, { id }: InviteView) {
  if (!(await revokeInvite(ctx, id))) refuse("not_found");
  return { id, revoked: true };
}

/** The hash that is stored instead of a token. Tokens have 256 random bits, so they cannot be guessed. */
export const hashToken = (token: string): Buffer => hash("sha256", token, "buffer");

/** Only guests are invited to specific projects. Other roles see all open projects. */
async function projectsFor(ctx: InWorkspace, { role, project_ids }: InviteCreateInput): Promise<string[]> {
  const refs = project_ids ?? [];
  if (refs.length === 0) return [];
  if (role !== "guest") refuseField("/project_ids", "not_allowed", "is allowed only for guests");
  const ids = await findProjects(ctx.db, ctx.workspace.id, refs);
  const missing = ids.indexOf(null);
  if (missing !== -1) refuseReference(`/project_ids/${missing}`, refs[missing]);
  return [...new Set(ids as string[])];
}
