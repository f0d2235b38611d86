import { isFresh } from "../../../domain/access/sign-in/sessions.ts";
import { type Deletion, eraseAccount, planDeletion } from "../../../domain/delete-account.ts";
import { emailKey } from "../../../domain/kernel/email.ts";
import { type Refusal, refuse, refuseField } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { leaveForGood } from "../../../domain/member-removal.ts";
import { memberErrors } from "../../../domain/tenancy/workspaces/errors.ts";
import type { OwnWorkspace } from "../../../domain/tenancy/workspaces/own.sql.ts";
import { locateVisitor } from "../../engine/access.ts";
import { textField } from "../kit/fields.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../site/site.ts";
import { signOut } from "../site/visitors.ts";
import { signInAgain } from "./sign-in-again.ts";

/** The page on which a person deletes their account: what goes, what stays, and what they must do first. */

const PATH = "/account/delete";

export function accountDeletionPages(site: Site): void {
  site.signedIn("get", PATH, (call) => show(call));
  site.signedIn("post", PATH, async (call) => {
    const { ctx, visitor, form, request } = call;
    try {
      if (!isFresh(ctx, visitor)) return show(call);
      if (emailKey(form.text("email")) !== emailKey(visitor.user.email)) {
        refuseField("/email", "not_allowed", "is another one. Enter the address of this account");
      }
      await deleteAccount(site, call);
      await site.begin(ctx, (tx) => signOut(request, tx, visitor, false));
      return { to: "/sign-in", said: "Your account is deleted. Thank you for having been here." };
    } catch (error) {
      const refusal = refusalOf(error);
      request.set(refusal.headers);
      return show(call, refusal);
    }
  });
}

/** How often somebody may join a workspace while they leave the others. */
const ROUNDS = 3;

/** @throws Refusal last_owner, unavailable */
async function deleteAccount(site: Site, { ctx, visitor }: SignedInCall): Promise<void> {
  const left: OwnWorkspace[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { blocked, closing, leaving } = await planDeletion(ctx, visitor);
    if (blocked.length > 0) refuse(memberErrors.last_owner);
    for (const workspace of [...leaving, ...closing]) {
      const here = await locateVisitor(site.runtime, visitor, workspace.slug, ctx);
      // Null: they were removed meanwhile.
      if (here) await site.write(here, leaveForGood);
      left.push(workspace);
    }
    if (await site.begin(ctx, (tx) => eraseAccount(tx, visitor, left))) return;
  }
  refuse("unavailable");
}

async function show(call: SignedInCall, refusal?: Refusal): Promise<PageAnswer> {
  const { ctx, visitor, form } = call;
  const plan = await planDeletion(ctx, visitor);
  const body = html`<div class="question">
    <h1>Delete your account</h1>
    ${refusal ? problemBox(refusal) : ""}
    ${whatHappens(plan)}
    ${plan.blocked.length > 0 ? blocks(plan.blocked) : isFresh(ctx, visitor) ? deleteForm(form.text("email"), refusal) : signInAgain(PATH)}
    <p><a href="/account">Keep the account</a></p>
  </div>`;
  return { title: "Delete your account", body, status: refusal?.status ?? 200 };
}

const named = (all: OwnWorkspace[]): Html =>
  html`<ul>${all.map(({ slug, name }) => html`<li><a class="broken" href="/w/${slug}">${name}</a></li>`)}</ul>`;

const whatHappens = ({ closing, leaving }: Deletion): Html => html`
    <p>This cannot be undone.</p>
    <p class="label">What goes</p>
    <ul><li>Your name, address, picture and notifications</li>
      <li>Your sessions, tokens, keys and connected agents: they stop working at once</li>
      <li>Your place in workspaces. You are unassigned from open issues.</li></ul>
    <p class="label">What stays</p>
    <ul><li>What you wrote: issues, comments, docs and messages, as by “Former member”</li>
      <li>Audit logs of the workspaces, with the name that you had</li></ul>
    ${leaving.length > 0 ? html`<p class="label">Workspaces that you leave</p>${named(leaving)}` : ""}
    ${
      closing.length > 0
        ? html`<p class="label">Workspaces that close</p>${named(closing)}
          <p class="hint">You are the only person there. Nobody can open them any more, and their credits are lost. Invite somebody first if they shall stay.</p>`
        : ""
    }`;

const blocks = (all: OwnWorkspace[]): Html =>
  notice(
    "bad",
    html`<p>Before you can delete your account:</p><ul>${all.map(({ slug, name, status }) =>
      status === "suspended"
        ? html`<li>You are suspended in ${name}. Ask an owner of it to remove you.</li>`
        : html`<li>You are the last owner of <a href="/w/${slug}/members">${name}</a>. Make another member its owner, or remove the others.</li>`,
    )}</ul>`,
  );

const deleteForm = (typed: string, refusal?: Refusal): Html => html`<form method="post" action="${PATH}">
      ${textField({ name: "email", label: "Your e-mail address, to confirm", type: "email", required: true, max: 320, value: typed, refusal })}
      <button class="danger wide">Delete my account</button>
    </form>`;
