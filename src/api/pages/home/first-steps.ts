import type { AgentView } from "../../../domain/access/agents/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin, isEditor } from "../../../domain/kernel/roles.ts";
import type { InviteView } from "../../../domain/tenancy/invites/invite-view.ts";
import type { MemberView } from "../../../domain/tenancy/workspaces/member-view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { act, badge, empty } from "../kit/pieces.ts";
import type { List } from "../site/perform.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { ownCookie, readCookie, setCookie } from "../site/visitors.ts";

/** What to do in a new workspace, until it is done or put away. */

/** Its value is the ids of workspaces whose steps were put away in this browser. */
const PUT_AWAY = "muster_steps";
const MOST_IDS = 20;
const YEAR_SECONDS = 365 * 86_400;

export const putAwayForm = (site: Site): void =>
  site.workspace("post", "/w/:slug/first-steps", async (call) => {
    putThemAway(call);
    return { to: `/w/${call.here.workspace.slug}`, said: "The first steps are put away." };
  });

function putThemAway(call: WorkspaceCall): void {
  const { workspace, settings } = call.here;
  const ids = [...putAway(call).filter((id) => id !== workspace.id), workspace.id].slice(-MOST_IDS);
  setCookie(call.request, settings.baseUrl, ownCookie(settings.baseUrl, PUT_AWAY), ids.join("."), YEAR_SECONDS);
}

const putAway = ({ request, here }: WorkspaceCall): string[] =>
  (readCookie(request, ownCookie(here.settings.baseUrl, PUT_AWAY), MOST_IDS * 40) ?? "").split(".").filter(Boolean);

/** Without projects for everybody; after that for admins, as long as nobody is invited or no agent is connected. */
export async function firstSteps(
  site: Site,
  call: WorkspaceCall,
  { data: projects }: List<ProjectView>,
): Promise<Html | string> {
  const { workspace, principal } = call.here;
  const isNew = projects.length === 0;
  if (isNew && !isEditor(principal.role)) return nothingToSee(call);
  if (!isNew && (!isAdmin(principal.role) || putAway(call).includes(workspace.id))) return "";
  const query = { limit: "2" };
  const [members, agents, invites] = await Promise.all([
    site.list<MemberView>(call, "members.list", { query }),
    site.list<AgentView>(call, "agents.list", { query }),
    isAdmin(principal.role) ? site.list<InviteView>(call, "invites.list", { query }) : { data: [] },
  ]);
  const done = { people: members.data.length + invites.data.length > 1, agent: agents.data.length > 0 };
  if (!isNew && done.people && done.agent) {
    // Not read again for every visit.
    putThemAway(call);
    return "";
  }
  const base = `/w/${workspace.slug}`;
  const people = step(
    "Invite people",
    "They work on the same boards, each with their own role.",
    html`<a class="button second" href="${base}/members#invite">Invite somebody</a>`,
    done.people,
  );
  return html`<section class="home-part" aria-labelledby="steps"><div class="headline"><h2 id="steps">First steps</h2>
    ${isNew ? "" : act(`${base}/first-steps`, "Put away", { name: "Put the first steps away" })}</div><ol class="steps">
    ${step(
      "Make a project",
      "It has a board, its issues and the plans for them. Begin from a template, and change everything later.",
      html`<a class="button" href="${base}/projects/new">New project</a>`,
      !isNew,
    )}
    ${isAdmin(principal.role) ? people : ""}
    ${step(
      "Connect an agent",
      "It works beside people, under its own name, and never does more than you may. You see every step that it takes, and can stop it.",
      html`<a class="button second" href="${base}/developer">Connect an agent</a> <a href="/auth.md">How agents connect</a>`,
      done.agent,
    )}</ol></section>`;
}

/** What is done needs no explanation. */
const step = (title: string, text: string, way: Html, isDone: boolean): Html =>
  html`<li class="card"><h3>${title} ${isDone ? badge("Done", "good") : ""}</h3>${isDone ? "" : html`<p>${text}</p><p class="row">${way}</p>`}</li>`;

function nothingToSee({ here: { workspace, principal } }: WorkspaceCall): Html {
  const people = html`<p><a href="/w/${workspace.slug}/members">Members</a></p>`;
  if (principal.role !== "guest")
    return empty("Nothing here yet", "You see a project here once somebody makes one, or adds you to one.", people);
  return empty(
    "You are in no project yet",
    `As a guest of ${workspace.name} you see only the projects that you are a member of. Ask the person who invited you to add you to one: in its settings, under Members. It appears here at once.`,
  );
}
