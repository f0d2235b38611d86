import type { GrantRow } from "../../../domain/access/oauth/grants.sql.ts";
import { listGrants } from "../../../domain/access/oauth/grants.ts";
import type { InWorkspace } from "../../../domain/kernel/context.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { askFirst } from "../site/confirm.ts";
import { instant } from "../site/layout.ts";

/** Programs that a person approved by OAuth, with their scopes and a button to disconnect them. */
export async function connectedAgents(here: InWorkspace, base: string): Promise<Html> {
  const grants = await listGrants(here);
  const all = isAdmin(here.principal.role);
  return html`<section class="card" aria-labelledby="agents">
    <h2 id="agents">Connected agents</h2>
    <p class="quiet">${all ? "Programs that people in this workspace approved." : "Programs that you approved."}
      A program connects itself; <a href="/auth.md">/auth.md</a> explains how.</p>
    ${
      grants.length === 0
        ? html`<p>No agent is connected yet.</p>`
        : html`<table class="stack"><thead><tr><th>Agent</th><th>Scopes</th><th>Approved</th><th>Last used</th><th>Disconnect</th></tr></thead>
          <tbody>${grants.map((grant) => row(grant, base))}</tbody></table>`
    }
  </section>`;
}

const row = (grant: GrantRow, base: string): Html => html`<tr>
  <td data-label="Agent"><strong>${grant.client_name}</strong></td>
  <td data-label="Scopes">${grant.scopes.join(", ")}</td>
  <td data-label="Approved">${instant(grant.created_at)}<br><span class="quiet">by ${grant.approved_by.name ?? grant.approved_by.email ?? "someone"}</span></td>
  <td data-label="Last used">${instant(grant.last_used_at)}</td>
  <td>${askFirst({
    ask: "Disconnect",
    about: grant.client_name,
    action: `${base}/agents/${grant.id}/revoke`,
    consequence:
      "Its tokens stop working at once, and unless somebody else approved it too, its open sessions are cancelled. What it wrote stays.",
    confirm: `Disconnect ${grant.client_name}`,
  })}</td>
</tr>`;
