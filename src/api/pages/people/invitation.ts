import type { Refusal } from "../../../domain/errors.ts";
import { type Html, html } from "../../../domain/html.ts";
import { changeName } from "../../../domain/people/account.ts";
import { ROLE_WORDS } from "../../../domain/people/invite-letter.ts";
import { acceptInvite, type Invitation, isFor, readInviteByToken } from "../../../domain/people/invites.ts";
import { unitOfWork } from "../../../domain/unit-of-work.ts";
import { withRetries } from "../../engine/retry.ts";
import { nameField } from "./account.ts";
import { instant } from "./layout.ts";
import { type PageAnswer, type PageCall, problemBox, refusalOf, type Site } from "./site.ts";

/** Where the link of an invite's mail leads. */
export function invitationPages(site: Site): void {
  site.open("get", "/invite", async (call) => {
    const { query } = call;
    return show(call, query("token"));
  });
  site.open("post", "/invite", (call) => accept(site, call, call.form.text("token")));
}

/** The page about an invite, with what was just refused above it. */
async function show(call: PageCall, token: string, refusal?: Refusal): Promise<Exclude<PageAnswer, { to: string }>> {
  const invite = await readInviteByToken(call.ctx, token);
  if (!invite) {
    const body = html`<h1>No such invite</h1><p>Perhaps the link was cut off: open it once more from the mail.</p>`;
    return { title: "No such invite", body: question(body), status: 404 };
  }
  const inside = call.visitor?.workspaces.some(({ id }) => id === invite.workspace.id) ?? false;
  const heading = html`<h1>Join ${invite.workspace.name}</h1>${refusal ? problemBox(refusal) : ""}`;
  return {
    title: `Join ${invite.workspace.name}`,
    status: refusal?.status ?? 200,
    body: question(html`${heading}${answer(invite, call, { token, inside, refusal })}`),
  };
}

type Shown = { token: string; inside: boolean; refusal: Refusal | undefined };

function answer(invite: Invitation, call: PageCall, { token, inside, refusal }: Shown): Html {
  const { visitor } = call;
  if (inside && (invite.state !== "pending" || !isFor(invite, visitor!.user))) {
    return html`<p>You are in this workspace already.</p><p><a class="button" href="/w/${invite.workspace.slug}">Open ${invite.workspace.name}</a></p>`;
  }
  if (invite.state !== "pending")
    return html`<p>${OVER[invite.state]}</p><p>Ask whoever invited you for a new one.</p>`;
  return html`<p><strong>${invite.invited_by_name ?? "Somebody"}</strong> invited you to work in <strong>${invite.workspace.name}</strong> as ${ROLE_WORDS[invite.role]}.</p>
    <p class="quiet">The invite is for ${invite.email} and ends on ${instant(invite.expires_at)}.</p>
    ${nextStep(invite, call, { token, refusal })}`;
}

const OVER = {
  accepted: "This invite was accepted already.",
  revoked: "This invite was revoked.",
  expired: "This invite has expired.",
};

function nextStep(
  invite: Invitation,
  { visitor, form }: PageCall,
  { token, refusal }: Pick<Shown, "token" | "refusal">,
): Html {
  if (!visitor) return html`<p><a class="button wide" href="${signIn(token)}">Sign in to accept</a></p>`;
  if (isFor(invite, visitor.user)) {
    return html`<form method="post" action="/invite"><input type="hidden" name="token" value="${token}">
      ${visitor.user.name === null ? nameField(form.text("your_name"), refusal) : ""}
      <button class="wide">Accept</button></form>`;
  }
  return html`<p>You are signed in as <strong>${visitor.user.email}</strong>. Sign out, and in again as ${invite.email}, to accept.</p>
    <form method="post" action="/sign-out"><input type="hidden" name="return_to" value="${placeOf(token)}">
      <button class="wide second">Sign out</button></form>`;
}

async function accept(site: Site, call: PageCall, token: string): Promise<PageAnswer> {
  const { visitor } = call;
  if (!visitor) return { to: signIn(token) };
  const { user } = visitor;
  const { database, entities } = site.runtime;
  // May be left empty; whoever has a name was not asked.
  const newName = user.name === null ? call.form.text("your_name") : "";
  const base = { ...call.ctx, actor: { id: user.id, kind: "user" as const, name: newName || user.name } };
  try {
    const { workspace } = await withRetries(() =>
      unitOfWork(base, { database, entities, workspaceId: null }, async (ctx) => {
        // First, so that those who hear of the new member hear the name.
        if (newName) await changeName(ctx, user, newName);
        return acceptInvite(ctx, token, user);
      }),
    );
    return { to: `/w/${workspace.slug}` };
  } catch (error) {
    const refusal = refusalOf(error);
    return show(call, token, refusal);
  }
}

const placeOf = (token: string) => `/invite?token=${encodeURIComponent(token)}`;
const signIn = (token: string) => `/sign-in?return_to=${encodeURIComponent(placeOf(token))}`;
const question = (body: Html): Html => html`<div class="question">${body}</div>`;
