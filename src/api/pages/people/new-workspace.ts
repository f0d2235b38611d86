import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { createOwnWorkspace, freeSlugsLike, slugOf } from "../../../domain/tenancy/workspaces/create-own.ts";
import { longest } from "../longest.ts";
import { fieldState, PROBLEM_ID } from "../site/field-state.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../site/site.ts";
import { nameField } from "./account.ts";
import { waitingInvites } from "./invitation.ts";
import { takeSlugTry } from "./slug-tries.ts";

/** The first pages after sign-in: the person's workspaces, or the form for their first one. */
export function newWorkspacePages(site: Site): void {
  site.signedIn("get", "/w", async (call) => {
    const { workspaces } = call.visitor;
    const [first, second] = workspaces;
    if (!first) return { to: "/w/new" };
    const invites = await waitingInvites(call);
    return second || invites ? listPage(workspaces, invites) : { to: `/w/${first.slug}` };
  });

  site.signedIn("get", "/w/new", async (call) => newPage(call), LEADING_AWAY);
  site.signedIn("post", "/w/new", (call) => found(site, call), LEADING_AWAY);
}

/**
 * A person who creates a workspace to connect an agent is redirected to the consent page, and from there to the
 * agent.
 */
const LEADING_AWAY = { mayLeave: true };

async function found(site: Site, call: SignedInCall): Promise<PageAnswer> {
  const { ctx, visitor, form } = call;
  const personName = visitor.user.name === null ? form.text("your_name") : null;
  const wanted = { name: form.text("name"), slug: form.text("slug").toLowerCase(), personName };
  let slugTry: { giveBack(): void } | undefined;
  try {
    slugTry = await takeSlugTry(call);
    const { slug } = await site.begin(ctx, (tx) => createOwnWorkspace(tx, visitor.user, wanted));
    slugTry.giveBack();
    return { to: returnTo(call) ?? `/w/${slug}` };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal.is("already_exists")) slugTry?.giveBack();
    call.request.set(refusal.headers);
    const taken = wanted.slug || slugOf(wanted.name);
    if (!refusal.is("already_exists")) return newPage(call, { problem: problemBox(refusal), refusal });
    const free = await freeSlugsLike(ctx, taken);
    return newPage(call, { problem: takenBox(taken, free), refusal, free: free[0] });
  }
}

const returnTo = ({ form, query }: SignedInCall) => readOwnPath(form.text("return_to") || query("return_to"));

function listPage(workspaces: Visitor["workspaces"], invites: Html | null): PageAnswer {
  const body = html`<h1>Your workspaces</h1>
    <ul class="cards">${workspaces.map(
      ({ slug, name, role }) =>
        html`<li><a href="/w/${slug}"><h2>${name}</h2><p>${slug}, your role is ${role}</p></a></li>`,
    )}</ul>
    ${invites ?? ""}
    <p><a class="button second" href="/w/new">New workspace</a></p>`;
  return { title: "Your workspaces", body };
}

const takenBox = (slug: string, free: readonly string[]): Html =>
  notice(
    "bad",
    html`<p id="${PROBLEM_ID}">The address ${slug} is taken.${free.length > 0 ? html` Available: ${free.join(", ")}.` : ""}</p>`,
  );

/** `free`: an address to take instead of the one that is taken. */
type Refused = { problem: Html; refusal: Refusal; free?: string | undefined };

async function newPage(call: SignedInCall, refused?: Refused): Promise<PageAnswer> {
  const { visitor, form, ctx } = call;
  const refusal = refused?.refusal;
  const first = visitor.workspaces.length === 0;
  const invites = await waitingInvites(call);
  const title = first ? "Welcome" : "New workspace";
  const body = html`<div class="question">
    <h1>${title}</h1>
    ${invites ?? ""}
    ${invites ? html`<h2>Create a workspace</h2>` : ""}
    <p class="quiet">A workspace contains a team's projects. ${first && !invites ? "Create one here, or wait for an invite to another one." : ""}</p>
    ${refused?.problem ?? ""}
    <form method="post" action="/w/new">
      <input type="hidden" name="return_to" value="${returnTo(call) ?? ""}">
      ${visitor.user.name === null ? nameField(form.text("your_name"), refusal, invites || refused ? html` required` : html` required autofocus`) : ""}
      <div class="field">
        <label for="name">Name of the workspace</label>
        <input id="name" name="name" autocomplete="organization"${longest(100)} required value="${form.text("name")}"${fieldState(refusal, "name")}>
      </div>
      <div class="field">
        <label for="slug">Its address</label>
        <input id="slug" name="slug" maxlength="50" autocapitalize="none" spellcheck="false"${refused?.free ? html` autofocus` : ""} value="${refused?.free ?? form.text("slug")}"${fieldState(refusal, "slug", "slug-hint")}>
        <p class="hint" id="slug-hint">The end of ${ctx.settings.baseUrl}/w/… in lower-case letters, digits and hyphens; it
          cannot be changed. If empty, we derive it from the name.</p>
      </div>
      <button class="wide">Create the workspace</button>
    </form>
  </div>`;
  return { title, body, status: refusal?.status ?? 200 };
}
