import { type Html, html } from "../../../domain/html.ts";
import { readOwnPath } from "../../../domain/people/own-path.ts";
import { foundWorkspace, freeSlugsLike, slugOf } from "../../../domain/workspaces/found.ts";
import { notice } from "./layout.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "./site.ts";

/** Where people come after signing in: their workspaces, or the question for the first one. */
export function newWorkspacePages(site: Site): void {
  site.signedIn("get", "/w", async ({ visitor }) => {
    const [first, second] = visitor.workspaces;
    if (!first) return { to: "/w/new" };
    return second ? listPage(visitor.workspaces) : { to: `/w/${first.slug}` };
  });

  site.signedIn("get", "/w/new", async (call) => newPage(call), LEADING_AWAY);
  site.signedIn("post", "/w/new", (call) => found(site, call), LEADING_AWAY);
}

/** Who founds a workspace to connect an agent to goes on there, and may end at the agent at once. */
const LEADING_AWAY = { mayLeave: true };

async function found(site: Site, call: SignedInCall): Promise<PageAnswer> {
  const { ctx, visitor, form } = call;
  const personName = visitor.user.name === null ? form.text("your_name") : null;
  const wanted = { name: form.text("name"), slug: form.text("slug").toLowerCase(), personName };
  try {
    const { slug } = await site.begin(ctx, (tx) => foundWorkspace(tx, visitor.user, wanted));
    return { to: returnTo(call) ?? `/w/${slug}` };
  } catch (error) {
    const refusal = refusalOf(error);
    call.request.set(refusal.headers);
    const taken = wanted.slug || slugOf(wanted.name);
    const problem =
      refusal.code === "already_exists" ? takenBox(taken, await freeSlugsLike(ctx, taken)) : problemBox(refusal);
    return newPage(call, problem, refusal.status);
  }
}

const returnTo = ({ form, query }: SignedInCall) => readOwnPath(form.text("return_to") || query("return_to"));

function listPage(workspaces: readonly { slug: string; name: string; role: string }[]): PageAnswer {
  const body = html`<h1>Your workspaces</h1>
    <ul class="cards">${workspaces.map(
      ({ slug, name, role }) =>
        html`<li><a href="/w/${slug}"><h2>${name}</h2><p>You are ${role} of ${slug}.</p></a></li>`,
    )}</ul>
    <p><a class="button second" href="/w/new">New workspace</a></p>`;
  return { title: "Your workspaces", body };
}

const takenBox = (slug: string, free: readonly string[]): Html =>
  notice(
    "bad",
    html`<p>The address ${slug} is taken.${free.length > 0 ? html` Free are: ${free.join(", ")}.` : ""}</p>`,
  );

function newPage(call: SignedInCall, problem?: Html, status = 200): PageAnswer {
  const { visitor, form, ctx } = call;
  const first = visitor.workspaces.length === 0;
  const title = first ? "Welcome" : "New workspace";
  const yourName = html`<div class="field">
        <label for="your_name">Your name</label>
        <input id="your_name" name="your_name" autocomplete="name" maxlength="100" required autofocus value="${form.text("your_name")}">
      </div>`;
  const body = html`<div class="question">
    <h1>${title}</h1>
    <p class="quiet">A workspace holds a team's projects. ${first ? "Found one here, or wait for an invite to another one." : ""}</p>
    ${problem ?? ""}
    <form method="post" action="/w/new">
      <input type="hidden" name="return_to" value="${returnTo(call) ?? ""}">
      ${visitor.user.name === null ? yourName : ""}
      <div class="field">
        <label for="name">Name of the workspace</label>
        <input id="name" name="name" autocomplete="organization" maxlength="100" required value="${form.text("name")}">
      </div>
      <div class="field">
        <label for="slug">Its address</label>
        <input id="slug" name="slug" maxlength="50" autocapitalize="none" spellcheck="false" aria-describedby="slug-hint" value="${form.text("slug")}">
        <p class="hint" id="slug-hint">The end of ${ctx.settings.baseUrl}/w/… in lower-case letters, digits and hyphens; it stays as
          it is. Empty: we make it of the name.</p>
      </div>
      <button class="wide">Create the workspace</button>
    </form>
  </div>`;
  return { title, body, status };
}
