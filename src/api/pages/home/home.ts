import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import type { NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import type { IssueView } from "../../../domain/work/issues/view.ts";
import type { ProjectView } from "../../../domain/work/projects/view.ts";
import { issueLine } from "../kit/issues.ts";
import { empty } from "../kit/pieces.ts";
import { dollars, sessionLine } from "../kit/sessions.ts";
import { waitingInvites } from "../people/invitation.ts";
import { projectLine } from "../project/projects.ts";
import type { List } from "../site/perform.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";
import { dayHere } from "../site/zone.ts";
import { firstSteps, putAwayForm } from "./first-steps.ts";
import { isWaiting, waitingPart } from "./waiting.ts";

/** The home of a workspace: what waits for the person, what agents do, their issues, and what changed. */

const OPEN = "backlog,todo,in_progress,in_review";

export function workspaceHome(site: Site): void {
  site.workspace("get", "/w/:slug", (call) => show(site, call));
  putAwayForm(site);
}

async function show(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { here } = call;
  const issues = (query: Record<string, string>): Promise<List<IssueView>> =>
    site.list(call, "workspaces.issues", { query });
  const [projects, mine, recent, sessions, notifications, invites] = await Promise.all([
    site.list<ProjectView>(call, "projects.list", { query: { limit: "8" } }),
    issues({ assignee: "me", status: OPEN, sort: "due_asc", limit: "10" }),
    issues({ sort: "updated_desc", limit: "8" }),
    site.list<AgentSessionView>(call, "agent-sessions.list", { query: { limit: "50" } }),
    site.list<NotificationView>(call, "notifications.list", { query: { unread: "true", limit: "20" } }),
    waitingInvites(call),
  ]);
  const base = `/w/${here.workspace.slug}`;
  const steps = await firstSteps(site, call, projects);
  const shown = { now: here.now, base };
  if (projects.data.length === 0) {
    return {
      title: here.workspace.name,
      live: {},
      body: html`<h1>${here.workspace.name}</h1>${invites ?? ""}${steps}`,
    };
  }
  return {
    title: here.workspace.name,
    live: {},
    body: html`<div class="headline"><h1>${here.workspace.name}</h1>${
      isEditor(here.principal.role) ? html`<a class="button second" href="${base}/projects/new">New project</a>` : ""
    }</div>
      ${invites ?? ""}${steps}
      ${waitingPart(sessions.data, notifications, shown)}
      ${agentsPart(sessions.data, shown)}
      ${part("mine", "My issues", mine.data.length === 0 ? empty("Nothing is assigned to you", "Issues that somebody assigns to you, and you have not finished, are here.") : html`<ul class="lines">${mine.data.map((issue) => issueLine(issue, shown))}</ul>`)}
      ${part(
        "projects",
        "Projects",
        html`<ul class="lines">${projects.data.map((project) => projectLine(project, base, here.now))}</ul>
        ${projects.next === null ? "" : html`<p><a href="${base}/projects">All projects</a></p>`}`,
      )}
      ${recent.data.length === 0 ? "" : part("recent", "Recently changed", html`<ul class="lines">${recent.data.map((issue) => issueLine(issue, shown))}</ul>`)}`,
  };
}

const part = (id: string, name: string, body: Html): Html =>
  html`<section class="home-part" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${body}</section>`;

/** What agents are doing right now, and what the sessions of today cost so far. */
function agentsPart(sessions: readonly AgentSessionView[], shown: { base: string; now: string }): Html {
  const atWork = sessions.filter(({ state }) => state === "running");
  const waiting = sessions.filter(({ state }) => isWaiting(state)).length;
  const today = sessions.filter(({ started_at }) => dayHere(started_at) === dayHere(shown.now));
  const cost = today.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
  if (atWork.length === 0 && today.length === 0) return html``;
  const spent = cost > 0 ? html` <span class="quiet">Sessions begun today cost ${dollars(cost)}</span>` : "";
  return html`<section class="home-part" aria-labelledby="agents"><div class="headline"><h2 id="agents">Agents at work</h2>${spent}</div>
    ${atWork.length === 0 ? html`<p class="quiet">${waiting > 0 ? `No agent is working: ${waiting === 1 ? "one waits" : `${waiting} wait`} for an answer or a review.` : "No agent is at work right now."}</p>` : html`<ul class="lines">${atWork.slice(0, 10).map((session) => sessionLine(session, shown))}</ul>`}
    <p><a href="${shown.base}/agents">All agents and sessions</a></p></section>`;
}
