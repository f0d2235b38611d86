import type { AgentView } from "../../../domain/access/agents/view.ts";
import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import { person } from "../kit/people.ts";
import { badge, empty, pager, tabs } from "../kit/pieces.ts";
import { dollars, sessionLine } from "../kit/sessions.ts";
import { ago } from "../kit/times.ts";
import type { PageAnswer, Site, WorkspaceCall } from "../site/site.ts";

/** The agents of a workspace, and below them their sessions. */

const FILTERS: Record<string, { label: string; states: string }> = {
  open: { label: "Open", states: "running,needs_input,review" },
  ended: { label: "Ended", states: "done,failed,cancelled" },
};

export const agentsPage = (site: Site): void => site.workspace("get", "/w/:slug/agents", (call) => show(site, call));

async function show(site: Site, call: WorkspaceCall): Promise<PageAnswer> {
  const { here, query } = call;
  const name = own(FILTERS, query("sessions")) ? query("sessions") : "open";
  const { states } = own(FILTERS, name)!;
  const [agents, sessions] = await Promise.all([
    site.list<AgentView>(call, "agents.list", { query: { limit: "50", cursor: query("agents") } }),
    site.list<AgentSessionView>(call, "agent-sessions.list", {
      query: { limit: "50", cursor: query("cursor"), state: states },
    }),
  ]);
  const base = `/w/${here.workspace.slug}`;
  const shown = { base, now: here.now };
  const first = `${base}/agents?sessions=${name}`;
  const connect = isEditor(here.principal.role)
    ? html`<a class="button second" href="${base}/developer">Connect an agent</a>`
    : "";
  return {
    title: "Agents",
    seen: { kinds: "spend_cap" },
    live: { kinds: ["agent", "agent_session"] },
    body: html`<div class="headline"><h1>Agents</h1>${agents.data.length > 0 ? connect : ""}</div>
      ${agents.data.length === 0 ? empty("No agents yet", "An agent works beside people under its own name and key. You see every step that it takes.", connect) : html`<ul class="lines">${agents.data.map((agent) => line(agent, shown))}</ul>`}
      ${pager(agents.next === null ? null : `${base}/agents?agents=${agents.next}`, { first: `${base}/agents`, isFirst: query("agents") === "", what: "agents" })}
      <h2 id="sessions">Sessions</h2>
      ${tabs(
        "Sessions",
        Object.entries(FILTERS).map(([key, { label }]) => ({
          href: `${base}/agents?sessions=${key}#sessions`,
          label,
          current: key === name,
        })),
      )}
      ${sessions.data.length === 0 ? html`<p class="quiet">${name === "open" ? "No agent is at work right now." : "No session has ended yet."}</p>` : html`<ul class="lines">${sessions.data.map((session) => sessionLine(session, shown))}</ul>`}
      ${pager(sessions.next === null ? null : `${first}&cursor=${sessions.next}#sessions`, { first: `${first}#sessions`, isFirst: query("cursor") === "", what: "sessions" })}`,
  };
}

/** Whether an agent can work now. */
export const agentState = ({
  paused,
  key_revoked,
  online,
}: Pick<AgentView, "paused" | "key_revoked" | "online">): Html =>
  key_revoked
    ? badge("Disconnected", "quiet")
    : paused
      ? badge("Paused", "warn")
      : online
        ? badge("Online", "good")
        : badge("Offline");

function line(agent: AgentView, { base, now }: { base: string; now: string }): Html {
  const { agent_id, name, handle, running_sessions, last_activity_at, cost_total } = agent;
  return html`<li class="object-line"><div class="object-name">
      <a class="issue-title strong" href="${base}/agents/${agent_id}">${person({ id: agent_id, name, kind: "agent" })}</a>
      <p class="marks quiet">${handle === null ? "" : html`<span>@${handle}</span>`}
        <span>${last_activity_at === null ? "Never at work" : html`Last at work ${ago(last_activity_at, now)}`}</span>
        ${running_sessions > 0 ? html`<span>${counted(running_sessions, "session")} running</span>` : ""}
        ${cost_total === null ? "" : html`<span>${dollars(cost_total)} in all</span>`}</p></div>
    ${agentState(agent)}</li>`;
}
