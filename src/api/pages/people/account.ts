import { changeName, changeTimezone, MAX_LENGTH } from "../../../domain/access/sign-in/account.ts";
import type { Ctx, Writing } from "../../../domain/kernel/context.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { changeDigest, DIGESTS, type DigestChoice, readDigest } from "../../../domain/knowledge/digests/setting.ts";
import { select } from "../kit/fields.ts";
import { longest } from "../longest.ts";
import { fieldState } from "../site/field-state.ts";
import { notice } from "../site/layout.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../site/site.ts";
import { ownWorkspaces } from "./own-workspaces.ts";
import { sessionList } from "./sessions.ts";

/** The page for a person's own data, shared by all of their workspaces. */
export function accountPages(site: Site): void {
  site.signedIn("get", "/account", async (call) => show(call));
  const form = (path: string, done: string, change: (tx: Ctx & Writing, call: SignedInCall) => Promise<unknown>) =>
    site.signedIn("post", path, async (call) => {
      try {
        await site.begin(call.ctx, (tx) => change(tx, call));
        return { to: `/account?done=${done}` };
      } catch (error) {
        const refusal = refusalOf(error);
        call.request.set(refusal.headers);
        return show(call, refusal);
      }
    });
  form("/account", "name", (tx, { visitor, form }) => changeName(tx, visitor.user, form.text("your_name")));
  form("/account/digest", "digest", (tx, { visitor, form }) => changeDigest(tx, visitor.user, form.text("digest")));
  form("/account/zone", "zone", (tx, { visitor, form }) =>
    changeTimezone(tx, visitor.user, zoneOf(form.text("timezone"))),
  );
}

const DONE = new Map([
  ["name", "Your name is changed, everywhere from now on."],
  ["zone", "Times are shown in your time zone from now on."],
  ["digest", "Your choice of mails is saved."],
  ["session", "The session is ended. Its next click leads to the sign-in page."],
  ["no-session", "That session had ended already."],
]);

async function show(call: SignedInCall, refusal?: Refusal): Promise<Exclude<PageAnswer, { to: string }>> {
  const {
    ctx,
    visitor: { user },
    form,
    query,
  } = call;
  const name = form.all("your_name").length > 0 ? form.text("your_name") : (user.name ?? "");
  const text = DONE.get(query("done"));
  const done = text ? notice("good", text) : "";
  const body = html`<div class="question">
    <h1>Your account</h1>
    ${refusal ? problemBox(refusal) : done}
    <p class="label">E-mail address</p>
    <p class="broken">${user.email} <a href="/account/email">Change</a></p>
    <form method="post" action="/account">
      ${nameField(name, refusal, html` required`)}
      <button class="wide">Save</button>
    </form>
    ${zoneForm(form.all("timezone").length > 0 ? zoneOf(form.text("timezone")) : (user.timezone ?? ""), refusal)}
    ${digestForm(await readDigest(ctx, user))}
    ${ownWorkspaces(call.visitor)}
    ${await sessionList(call)}
    <section aria-labelledby="deletion">
      <h2 id="deletion">Deleting the account</h2>
      <p class="quiet">First you see what goes, and what stays.</p>
      <p><a class="button second" href="/account/delete">Delete your account…</a></p>
    </section>
  </div>`;
  return { title: "Your account", body, status: refusal?.status ?? 200 };
}

const CHOICES: Record<DigestChoice, string> = { off: "Never", hourly: "Every hour", daily: "Every day" };

const digestForm = (chosen: DigestChoice): Html => html`<form method="post" action="/account/digest">
      <div class="field">
        <label for="digest">Mails with your unread notifications</label>
        <select id="digest" name="digest" aria-describedby="digest_hint">${DIGESTS.map(
          (choice) =>
            html`<option value="${choice}"${choice === chosen ? html` selected` : ""}>${CHOICES[choice]}</option>`,
        )}</select>
        <p class="hint" id="digest_hint">You get a mail only if there are new ones, and one for each workspace.</p>
      </div>
      <button class="second wide">Save</button>
    </form>`;

/** A required select needs a word for it. */
const AS_IN_WORKSPACE = "workspace";

const zoneOf = (text: string) => (text === AS_IN_WORKSPACE ? "" : text);

const zoneForm = (chosen: string, refusal?: Refusal): Html => {
  const zones = [...new Set([...(chosen ? [chosen] : []), "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return html`<form method="post" action="/account/zone">
      ${select({
        name: "timezone",
        label: "Time zone",
        required: true,
        value: chosen || AS_IN_WORKSPACE,
        options: [
          { value: AS_IN_WORKSPACE, label: "As in the workspace" },
          ...zones.map((value) => ({ value, label: value.replaceAll("_", " ") })),
        ],
        hint: "Pages show times in it. Days on which something is due are the same for everybody.",
        refusal,
      })}
      <button class="second wide">Save</button>
    </form>`;
};

/** The input for a person's display name. */
export const nameField = (value: string, refusal?: Refusal, more: Html | string = ""): Html => html`<div class="field">
    <label for="your_name">Your name</label>
    <input id="your_name" name="your_name" autocomplete="name"${longest(MAX_LENGTH)}${more} value="${value}"${fieldState(refusal, "your_name")}>
  </div>`;
