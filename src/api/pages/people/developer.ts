import { PersonalTokenInput } from "../../../domain/access/keys/inputs.ts";
import { createToken, listTokens, revokeToken } from "../../../domain/access/keys/personal.ts";
import type { ApiKeyView } from "../../../domain/access/keys/view.ts";
import { revokeGrant } from "../../../domain/access/oauth/grants.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { create as createHook, remove as removeHook } from "../../../domain/work/commits/hook.ts";
import { decodeBody } from "../../engine/decode.ts";
import type { Form } from "../site/forms.ts";
import { notice } from "../site/layout.ts";
import { doOnce, onceOf } from "../site/once.ts";
import { type PageAnswer, problemBox, refusalOf, type Site, type WorkspaceCall } from "../site/site.ts";
import { commitHookBox, commitHookSection } from "./commit-hook.ts";
import { connectedAgents } from "./connected-agents.ts";
import { type Credential, KEY_FIELDS, keyForm, keyTable, readExpiry, type SentKey } from "./developer-tables.ts";

/** The developer page: a person's own tokens, the agents they approved and, for admins, keys of the workspace. */

export function developerPages(site: Site): void {
  const path = "/w/:slug/developer";
  site.workspace("get", path, (call) => show(site, call));

  /** Shows the secret in the reply to the POST, because it cannot be shown again. */
  const make = (path: string, what: Credential | null, work: (call: WorkspaceCall) => Promise<Html>) =>
    site.workspace("post", path, async (call): Promise<PageAnswer> => {
      try {
        return await show(site, call, { told: await work(call) });
      } catch (error) {
        return show(site, call, { refused: { what, refusal: refusalOf(error) } });
      }
    });

  const act = (path: string, done: string, change: (call: WorkspaceCall) => Promise<unknown>) =>
    site.workspace("post", path, async (call): Promise<PageAnswer> => {
      try {
        await change(call);
        return { to: `/w/${call.here.workspace.slug}/developer?done=${done}` };
      } catch (error) {
        return show(site, call, { refused: { what: null, refusal: refusalOf(error) } });
      }
    });

  make(`${path}/tokens`, "token", async (call) => {
    const { here, form } = call;
    const options = { lenient: false, warnings: [], creating: true };
    const input = decodeBody(PersonalTokenInput, keyOf(form, here.now), options);
    return secretBox(await doOnce(site, call, onceOf(form, KEY_FIELDS), (ctx) => createToken(ctx, input)));
  });
  act(`${path}/tokens/:id/revoke`, "token", ({ here, params }) =>
    site.write(here, (ctx) => revokeToken(ctx, params.id ?? "")),
  );
  act(`${path}/agents/:id/revoke`, "agent", ({ here, params }) =>
    site.write(here, (ctx) => revokeGrant(ctx, params.id ?? "")),
  );
  make(`${path}/keys`, "key", async (call) => {
    const agent = call.form.text("agent_name");
    const body = { ...keyOf(call.form, call.here.now), ...(agent ? { agent_name: agent } : {}) };
    const once = onceOf(call.form, KEY_FIELDS);
    return secretBox(await site.perform<Created>(call, "api-keys.create", { body, once }));
  });
  act(`${path}/keys/:id/revoke`, "key", (call) =>
    site.perform(call, "api-keys.delete", { params: { id: call.params.id ?? "" } }),
  );
  make(`${path}/commit-hook`, null, async ({ here }) => commitHookBox(await site.write(here, createHook)));
  act(`${path}/commit-hook/remove`, "hook", ({ here }) => site.write(here, removeHook));
}

type Created = ApiKeyView & { plaintext: string };

const DAY_MS = 86_400_000;

/** The input of all credentials, with the API's field names. */
function keyOf(form: Form, now: string) {
  const days = readExpiry(form.text("days"));
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
    html`<p><strong>${name}</strong> is created. Copy it now: it is not shown again.</p><code class="secret">${plaintext}</code>
      <p>Send it as <code>Authorization: Bearer …</code>; <a href="/docs">the API reference</a> lists the calls.</p>`,
  );

const DONE: Record<string, string> = {
  token: "The token is revoked; its next call is refused.",
  agent: "The agent is disconnected; its next call is refused.",
  key: "The key is revoked; its next call is refused.",
  hook: "The hook is removed; its next message is refused.",
};

/** The result of the last action. `what` names the form that was rejected; it stays open with the entered values. */
type Before = { told?: Html; refused?: { what: Credential | null; refusal: Refusal } };

async function show(site: Site, call: WorkspaceCall, { told, refused }: Before = {}): Promise<PageAnswer> {
  const { here, query } = call;
  const box = refused ? problemBox(refused.refusal) : told;
  const base = `/w/${here.workspace.slug}/developer`;
  const done = own(DONE, query("done"));
  const tokens = await listTokens(here);
  return {
    title: "Developer",
    status: refused?.refusal.status ?? 200,
    body: html`<h1>Developer</h1>${box ?? (done ? notice("good", done) : "")}
      <section class="card" aria-labelledby="tokens">
        <h2 id="tokens">Your tokens</h2>
        <p class="quiet">For your own scripts and tools. They act as you, in this workspace only, and never beyond your role.</p>
        ${keyTable(tokens, `${base}/tokens`, "token", isAdmin(here.principal.role) ? `${base}/keys` : undefined)}
        ${keyForm({ action: `${base}/tokens`, what: "token", role: here.principal.role, sent: sentOf(call, "token", refused) })}
      </section>
      ${await connectedAgents(here, base)}
      ${
        isAdmin(here.principal.role)
          ? html`${await workspaceKeys(site, call, base, sentOf(call, "key", refused))}${await commitHookSection(here, base)}`
          : ""
      }`,
  };
}

const sentOf = ({ form }: WorkspaceCall, what: Credential, refused: Before["refused"]): SentKey | undefined =>
  refused?.what === what ? { form, refusal: refused.refusal } : undefined;

async function workspaceKeys(site: Site, call: WorkspaceCall, base: string, sent: SentKey | undefined): Promise<Html> {
  const { query } = call;
  const { data, next } = await site.list<ApiKeyView>(call, "api-keys.list", {
    query: { limit: "100", cursor: query("keys") },
  });
  const keys = data.filter(({ kind, state }) => (kind === "workspace" || kind === "agent") && state !== "revoked");
  return html`<section class="card" aria-labelledby="keys">
    <h2 id="keys">Keys of the workspace</h2>
    <p class="quiet">For servers and agents that sign in with a key. A key is revoked when the person who created it leaves.</p>
    ${keyTable(keys, `${base}/keys`, "key", `${base}/keys`)}
    ${next ? html`<p><a href="${base}?keys=${next}#keys" rel="next">More keys</a></p>` : ""}
    ${keyForm({ action: `${base}/keys`, what: "key", role: call.here.principal.role, sent })}
  </section>`;
}
