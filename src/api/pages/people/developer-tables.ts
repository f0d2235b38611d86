import { BUNDLE_NAMES, type Bundle, excessScopes } from "../../../domain/access/identity/scopes.ts";
import type { ApiKeyView } from "../../../domain/access/keys/view.ts";
import { type Refusal, refuseField } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Role } from "../../../domain/kernel/roles.ts";
import { longest } from "../longest.ts";
import { askFirst } from "../site/confirm.ts";
import { fieldState } from "../site/field-state.ts";
import type { Form } from "../site/forms.ts";
import { instant } from "../site/layout.ts";
import { onceField } from "../site/once.ts";

/** Tables of tokens and keys, and the form that creates one. */

/** @param pages where each key has its page, for those who can open it */
export function keyTable(keys: ApiKeyView[], base: string, what: Credential, pages?: string): Html {
  if (keys.length === 0) return html`<p>There is no ${what} yet.</p>`;
  const rows = keys.map(
    (key) => html`<tr>
      <td data-label="Name"><strong>${pages === undefined ? key.name : html`<a href="${pages}/${key.id}">${key.name}</a>`}</strong>${key.kind === "agent" ? html` <span class="badge">agent</span>` : ""}${
        key.state === "expired" ? html` <span class="badge bad">expired</span>` : ""
      }<br><code>${key.prefix}…${key.last_four}</code></td>
      <td data-label="Scopes">${key.scopes.join(", ")}</td>
      <td data-label="Last used">${instant(key.last_used_at)}</td>
      <td data-label="Expires">${instant(key.expires_at)}</td>
      <td>${revokeKey(key, base)}</td>
    </tr>`,
  );
  return html`<table class="stack"><thead><tr><th>Name</th><th>Scopes</th><th>Last used</th><th>Expires</th><th>Revoke</th></tr></thead>
    <tbody>${rows}</tbody></table>`;
}

export const revokeKey = (key: ApiKeyView, base: string): Html =>
  askFirst({
    ask: "Revoke",
    about: key.name,
    action: `${base}/${key.id}/revoke`,
    consequence:
      key.kind === "agent"
        ? "The agent will be rejected with it. Without another key the agent is revoked: its open sessions are cancelled. What it wrote stays."
        : "Programs that use it will be rejected.",
    confirm: `Revoke ${key.name}`,
  });

const BUNDLE_TEXTS: Record<Bundle, string> = {
  read: "Read: see everything you see",
  write: "Write: also change issues, comments, docs and the like",
  admin: "Admin: also manage members, keys and webhooks, and buy credits",
};

const EXPIRIES: [days: number, label: string][] = [
  [30, "in 30 days"],
  [90, "in 90 days"],
  [365, "in a year"],
  [0, "never"],
];

/** Days until it expires; 0 means never. Only the offered values are valid. @throws Refusal validation_failed */
export function readExpiry(text: string): number {
  const offered = EXPIRIES.find(([days]) => String(days) === text);
  return offered ? offered[0] : refuseField("/expires_at", "not_allowed", "is one of those in the list");
}

export type Credential = "token" | "key";

/** Names of the form's inputs. */
export const KEY_FIELDS = ["name", "days", "bundle", "scopes", "agent_name"] as const;

/** A rejected form. */
export type SentKey = { form: Form; refusal: Refusal };

export type KeyFormOptions = { action: string; what: Credential; role: Role | null; sent: SentKey | undefined };

export function keyForm({ action, what, role, sent }: KeyFormOptions): Html {
  const typed = (field: (typeof KEY_FIELDS)[number]) => sent?.form.text(field) ?? "";
  const state = (field: string, hint?: string) => fieldState(sent?.refusal, field, hint);
  const chosen = { bundle: typed("bundle") || "read", days: typed("days") || "90" };
  const offered = BUNDLE_NAMES.filter((bundle) => role === null || excessScopes(role, [bundle]).length === 0);
  const bundles = offered.map(
    (bundle) =>
      html`<div class="choice"><input type="radio" name="bundle" value="${bundle}" id="${what}-${bundle}"${
        bundle === chosen.bundle ? html` checked` : ""
      }><label for="${what}-${bundle}">${BUNDLE_TEXTS[bundle]}</label></div>`,
  );
  const expiries = EXPIRIES.map(
    ([days, label]) =>
      html`<option value="${days}"${String(days) === chosen.days ? html` selected` : ""}>${label}</option>`,
  );
  return html`<details${sent ? html` open` : ""}><summary>New ${what}</summary>
    <form method="post" action="${action}">
      ${onceField()}
      <div class="row">
        <div class="field"><label for="${what}-name">Name</label>
          <input id="${what}-name" name="name" required${longest(80)} autocomplete="off" placeholder="its purpose" value="${typed("name")}"${state("name")}></div>
        <div class="field"><label for="${what}-days">Expires</label><select id="${what}-days" name="days"${state("expires_at")}>${expiries}</select></div>
      </div>
      <fieldset><legend>Permissions</legend>${bundles}
        <div class="field"><label for="${what}-scopes">Or exactly these scopes</label>
          <input id="${what}-scopes" name="scopes" autocomplete="off" placeholder="issues:write comments:write" value="${typed("scopes")}"${state("scopes", `${what}-scopes-hint`)}>
          <p class="hint" id="${what}-scopes-hint">Separated by spaces. They replace the choice above.</p></div>
      </fieldset>
      ${what === "key" ? agentField(typed("agent_name"), state("agent_name", "agent-name-hint")) : ""}
      <button>Create the ${what}</button>
    </form></details>`;
}

const agentField = (
  value: string,
  state: Html,
): Html => html`<div class="field"><label for="agent-name">For an agent</label>
  <input id="agent-name" name="agent_name"${longest(60)} autocomplete="off" value="${value}"${state}>
  <p class="hint" id="agent-name-hint">With a name here, the key acts as a new agent of that name instead of as you.</p></div>`;
