import { make, type NewHook, remove } from "../../../domain/commits/hook.ts";
import type { Html } from "../../../domain/html.ts";
import { html } from "../../../domain/html.ts";
import { isAdmin } from "../../../domain/identity/scopes.ts";
import { PersonalTokenInput } from "../../../domain/keys/inputs.ts";
import { createToken, listTokens, revokeToken } from "../../../domain/keys/personal.ts";
import type { ApiKeyView } from "../../../domain/keys/view.ts";
import { revokeGrant } from "../../../domain/oauth/grants.ts";
import { decodeBody } from "../../engine/decode.ts";
import { commitHookBox, commitHookSection } from "./commit-hook.ts";
import { connectedAgents } from "./connected-agents.ts";
import { agentKeyFields, keyForm, keyTable } from "./developer-tables.ts";
import type { Form } from "./forms.ts";
import { notice } from "./layout.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "./site.ts";

/** The developer area: a person's own tokens, the agents they let in and, for admins, keys of the workspace. */

export function developerPages(site: Site): void {
  const path = "/w/:slug/developer";
  site.workspace("get", path, (call) => show(site, call));

  /** A change that shows a secret answers at once, since it is shown only now; others lead back to the page. */
  const act = (place: string, done: string, change: (call: WorkspaceCall) => Promise<Created | NewHook | undefined>) =>
    site.workspace("post", place, async (call): Promise<PageAnswer> => {
      try {
        const made = await change(call);
        if (made) return await show(site, call, "url" in made ? commitHookBox(made) : secretBox(made));
        return { to: `/w/${call.here.workspace.slug}/developer?done=${done}` };
      } catch (error) {
        const refusal = refusalOf(error);
        return { ...(await show(site, call, problemBox(refusal))), status: refusal.status };
      }
    });

  act(`${path}/tokens`, "", async ({ here, form }) => {
    const input = decodeBody(PersonalTokenInput, keyOf(form, here.now), {
      lenient: false,
      warnings: [],
      creating: true,
    });
    return site.write(here, (ctx) => createToken(ctx, input));
  });
  act(`${path}/tokens/:id/revoke`, "token", async ({ here, params }) => {
    await site.write(here, (ctx) => revokeToken(ctx, params.id ?? ""));
    return undefined;
  });
  act(`${path}/agents/:id/revoke`, "agent", async ({ here, params }) => {
    await site.write(here, (ctx) => revokeGrant(ctx, params.id ?? ""));
    return undefined;
  });
  act(`${path}/keys`, "", (call) => {
    const agent = call.form.text("agent_name");
    const body = { ...keyOf(call.form, call.here.now), ...(agent ? { agent_name: agent } : {}) };
    return site.perform<Created>(call, "api-keys.create", { body });
  });
  act(`${path}/keys/:id/revoke`, "key", async (call) => {
    await site.perform(call, "api-keys.delete", { params: { id: call.params.id ?? "" } });
    return undefined;
  });
  act(`${path}/commit-hook`, "", ({ here }) => site.write(here, make));
  act(`${path}/commit-hook/remove`, "hook", async ({ here }) => {
    await site.write(here, remove);
    return undefined;
  });
}

type Created = ApiKeyView & { plaintext: string };

const DAY_MS = 86_400_000;

/** The fields that all credentials share, as the API names them. */
function keyOf(form: Form, now: string) {
  const days = Number(form.text("days"));
  const named = form
    .text("scopes")
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    name: form.text("name"),
    scopes: named.length > 0 ? named : [form.text("bundle") || "read"],
    ...(days > 0 ? { expires_at: new Date(Date.parse(now) + days * DAY_MS).toISOString() } : {}),
  };
}

const secretBox = ({ name, plaintext }: Created): Html =>
  notice(
    "good",
    html`<p><strong>${name}</strong> is made. Copy it now: it is not shown again.</p><code class="secret">${plaintext}</code>
      <p>Send it as <code>Authorization: Bearer …</code>; <a href="/docs">the API reference</a> says what it opens.</p>`,
  );

const DONE: Record<string, string> = {
  token: "The token is revoked; its next call is refused.",
  agent: "The agent is disconnected; its next call is refused.",
  key: "The key is revoked; its next call is refused.",
  hook: "The hook is removed; its next message is refused.",
};

type Shown = Exclude<PageAnswer, { to: string }>;

/** The page, with a box about what was just done above it. */
async function show(site: Site, call: WorkspaceCall, told?: Html): Promise<Shown> {
  const { here, query } = call;
  const base = `/w/${here.workspace.slug}/developer`;
  const done = DONE[query("done")];
  const tokens = await listTokens(here);
  return {
    title: "Developer",
    body: html`<h1>Developer</h1>${told ?? (done ? notice("good", done) : "")}
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">Your tokens</h2>
        <p class="quiet">For your own scripts and tools. They act as you, in this workspace only, and never beyond your role.</p>
        ${keyTable(tokens, `${base}/tokens`, "token")}
        ${keyForm({ action: `${base}/tokens`, what: "token", role: here.caller.role })}
      </section>
      ${await connectedAgents(here, base)}
      ${isAdmin(here.caller.role) ? html`${await workspaceKeys(site, call, base)}${await commitHookSection(here, base)}` : ""}`,
  };
}

async function workspaceKeys(site: Site, call: WorkspaceCall, base: string): Promise<Html> {
  const { query } = call;
  const { data, pagination } = await site.perform<{
    data: ApiKeyView[];
    pagination: { next_cursor: string | null };
  }>(call, "api-keys.list", { query: { limit: "100", cursor: query("keys") } });
  const keys = data.filter(({ kind, state }) => (kind === "workspace" || kind === "agent") && state !== "revoked");
  return html`<section class="card" aria-labelledby="keys">
    <h2 id="keys">Keys of the workspace</h2>
    <p class="quiet">For servers and agents that sign in with a key. A key ends when the person who made it leaves.</p>
    ${keyTable(keys, `${base}/keys`, "key")}
    ${pagination.next_cursor ? html`<p><a href="${base}?keys=${pagination.next_cursor}#keys" rel="next">More keys</a></p>` : ""}
    ${keyForm({ action: `${base}/keys`, what: "key", role: call.here.caller.role, more: agentKeyFields })}
  </section>`;
}
