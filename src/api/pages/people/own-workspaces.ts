import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { words } from "../kit/words.ts";
import { leaveForm } from "./member-tables.ts";

/** The workspaces of a person, on the account page. Each can be left. */
export function ownWorkspaces({ workspaces }: Visitor): Html | string {
  if (workspaces.length === 0) return "";
  return html`<section aria-labelledby="workspaces">
    <h2 id="workspaces">Your workspaces</h2>
    <ul class="rows">${workspaces.map(
      ({ slug, name, role }) => html`<li>
        <p><a href="/w/${slug}"><strong>${name}</strong></a> <span class="quiet">${words(role)}</span></p>
        ${leaveForm(name, `/w/${slug}`, role === "owner")}
      </li>`,
    )}</ul>
  </section>`;
}
