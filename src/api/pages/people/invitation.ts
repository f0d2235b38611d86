import { changeName } from "../../../domain/access/sign-in/account.ts";
import { unitOfWork } from "../../../domain/events/unit-of-work.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { ROLE_WORDS } from "../../../domain/tenancy/invites/invite-mail.ts";
import {
  acceptInvite,
  type Invitation,
  type InviteName,
  invitesFor,
  isFor,
  readInvite,
} from "../../../domain/tenancy/invites/invites.ts";
import { instant } from "../site/layout.ts";
import { type PageAnswer, type PageCall, problemBox, refusalOf, type SignedInCall, type Site } from "../site/site.ts";
import { nameField } from "./account.ts";

/** The page of an invite: reached from its mail, or from a person's list of invites. */
export function invitationPages(site: Site): void {
  site.open("get", "/invite", async (call) => show(call, nameIn(call.query)));
  site.open("post", "/invite", (call) => accept(site, call, nameIn(call.form.text)));
}

const nameIn = (field: (name: string) => string): InviteName =>
  field("id") === "" ? { token: field("token") } : { id: field("id") };

/** The visitor's pending invites, mailed or not, each with a button to accept it. Null if there are none. */
export async function waitingInvites({ ctx, visitor: { user } }: SignedInCall): Promise<Html | null> {
  const invites = await invitesFor(ctx, user);
  if (invites.length === 0) return null;
  return html`<section aria-labelledby="invites"><h2 id="invites">Invites for you</h2>
    <ul class="rows">${invites.map(
      ({ id, workspace, role, invited_by_name }) => html`<li>
      <p><strong><a href="${pathOf({ id })}">${workspace.name}</a></strong></p>
      <p class="quiet">${invited_by_name ?? "Somebody"} invited you as ${ROLE_WORDS[role]}.</p>
      ${acceptButton(id, workspace.name, user.name !== null)}</li>`,
    )}</ul></section>`;
}

/** People without a name are asked for it on the page of the invite. */
function acceptButton(id: string, name: string, named: boolean): Html {
  const label = `Accept the invite to ${name}`;
  if (!named) return html`<p><a class="button" href="${pathOf({ id })}" aria-label="${label}">Accept</a></p>`;
  return html`<form method="post" action="/invite"><button name="id" value="${id}" aria-label="${label}">Accept</button></form>`;
}

/** The page about an invite, with an optional error. */
async function show(call: PageCall, name: InviteName, refusal?: Refusal): Promise<Exclude<PageAnswer, { to: string }>> {
  const invite = await readInvite(call.ctx, name, call.visitor?.user ?? null);
  if (!invite) {
    const body = html`<h1>No such invite</h1><p>Part of the link may be missing. Open it again from the mail.</p>`;
    return { title: "No such invite", body: question(body), status: 404 };
  }
  const inside = call.visitor?.workspaces.some(({ id }) => id === invite.workspace.id) ?? false;
  const heading = html`<h1>Join ${invite.workspace.name}</h1>${refusal ? problemBox(refusal) : ""}`;
  return {
    title: `Join ${invite.workspace.name}`,
    status: refusal?.status ?? 200,
    body: question(html`${heading}${answer(invite, call, { name, inside, refusal })}`),
  };
}

type Shown = { name: InviteName; inside: boolean; refusal: Refusal | undefined };

function answer(invite: Invitation, call: PageCall, { name, inside, refusal }: Shown): Html {
  const { visitor } = call;
  if (inside && (invite.state !== "pending" || !isFor(invite, visitor!.user))) {
    return html`<p>You are already a member of this workspace.</p><p><a class="button" href="/w/${invite.workspace.slug}">Open ${invite.workspace.name}</a></p>`;
  }
  if (invite.state !== "pending")
    return html`<p>${OVER[invite.state]}</p><p>Ask the person who invited you for a new one.</p>`;
  return html`<p><strong>${invite.invited_by_name ?? "Somebody"}</strong> invited you to work in <strong>${invite.workspace.name}</strong> as ${ROLE_WORDS[invite.role]}.</p>
    <p class="quiet">The invite is for ${invite.email} and ends on ${instant(invite.expires_at)}.</p>
    ${nextStep(invite, call, { name, refusal })}`;
}

const OVER = {
  accepted: "This invite has already been accepted.",
  revoked: "This invite was revoked.",
  expired: "This invite has expired.",
};

function nextStep(
  invite: Invitation,
  { visitor, form }: PageCall,
  { name, refusal }: Pick<Shown, "name" | "refusal">,
): Html {
  if (!visitor) return html`<p><a class="button wide" href="${signIn(name)}">Sign in to accept</a></p>`;
  if (isFor(invite, visitor.user)) {
    const [[field, value] = []] = Object.entries(name);
    return html`<form method="post" action="/invite"><input type="hidden" name="${field!}" value="${value!}">
      ${visitor.user.name === null ? nameField(form.text("your_name"), refusal) : ""}
      <button class="wide">Accept</button></form>`;
  }
  return html`<p>You are signed in as <strong>${visitor.user.email}</strong>. To accept, sign out and sign in again as ${invite.email}.</p>
    <form method="post" action="/sign-out"><input type="hidden" name="return_to" value="${pathOf(name)}">
      <button class="wide second">Sign out</button></form>`;
}

async function accept(site: Site, call: PageCall, name: InviteName): Promise<PageAnswer> {
  const { visitor } = call;
  if (!visitor) return { to: signIn(name) };
  const { user } = visitor;
  const { database, entities } = site.runtime;
  // May be empty. People with a name are not asked.
  const newName = user.name === null ? call.form.text("your_name") : "";
  const base = { ...call.ctx, actor: { id: user.id, kind: "user" as const, name: newName || user.name } };
  try {
    const { workspace } = await unitOfWork(base, { database, entities, workspaceId: null }, async (ctx) => {
      // First, so that the event about the new member contains the name.
      if (newName) await changeName(ctx, user, newName);
      return acceptInvite(ctx, name, user);
    });
    return { to: `/w/${workspace.slug}` };
  } catch (error) {
    const refusal = refusalOf(error);
    return show(call, name, refusal);
  }
}

const pathOf = (name: InviteName) => `/invite?${new URLSearchParams(name)}`;
const signIn = (name: InviteName) => `/sign-in?return_to=${encodeURIComponent(pathOf(name))}`;
const question = (body: Html): Html => html`<div class="question">${body}</div>`;
