import type { AgentView } from "../../../domain/access/agents/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin, isEditor } from "../../../domain/kernel/roles.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import { badge, empty } from "../kit/pieces.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";

/** What to do in a workspace without projects. */
export async function firstSteps(site: Site, call: WorkspaceCall): Promise<Html> {
  const { workspace, principal } = call.here;
  if (!isEditor(principal.role)) {
    return empty("Nothing here yet", "You see a project here once somebody makes one and adds you to it.");
  }
  const [members, agents] = await Promise.all([
    site.list<MemberView>(call, "members.list", { query: { limit: "2" } }),
    site.list<AgentView>(call, "agents.list", { query: { limit: "1" } }),
  ]);
  const base = `/w/${workspace.slug}`;
  const people = isAdmin(principal.role)
    ? step("Invite people", "They work on the same boards, each with their own role.", {
        link: html`<a class="button second" href="${base}/members">Invite somebody</a>`,
        done: members.data.length > 1,
      })
    : "";
  return html`<p class="quiet">Three steps, and the work can begin.</p><ol class="steps">
    ${step(
      "Make a project",
      "It has a board, its issues and the plans for them. Begin from a template, and change everything later.",
      {
        link: html`<a class="button" href="${base}/projects/new">New project</a>`,
        done: false,
      },
    )}
    ${people}
    ${step(
      "Connect an agent",
      "It works beside people, under its own name, and never does more than you may. You see every step that it takes, and can stop it.",
      {
        link: html`<a class="button second" href="${base}/developer">Connect an agent</a> <a href="/auth.md">How agents connect</a>`,
        done: agents.data.length > 0,
      },
    )}</ol>`;
}

const step = (title: string, text: string, { link, done }: { link: Html; done: boolean }): Html =>
  html`<li class="card"><h2>${title} ${done ? badge("Done", "good") : ""}</h2><p>${text}</p><p class="row">${link}</p></li>`;
