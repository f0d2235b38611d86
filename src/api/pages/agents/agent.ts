import type { AgentDetailView } from "../../../domain/access/agents/view.ts";
import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { allPeople, type People, personOf } from "../issue/read.ts";
import { hidden, select, textField } from "../kit/fields.ts";
import { avatar } from "../kit/people.ts";
import { act, crumbs, facts, fold } from "../kit/pieces.ts";
import { dollars, sessionLine, tokensInWords } from "../kit/sessions.ts";
import { ago, exactly } from "../kit/times.ts";
import { numberOf, orAbsent } from "../kit/typed.ts";
import { words } from "../kit/words.ts";
import { actions, revisionField } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";
import { agentState } from "./agents.ts";
import { changedAgent, changeForm } from "./change.ts";

/** An agent: what it may do, what it spends, and its sessions. Its owner and admins pause, limit and disconnect it. */

const AGENT = "/w/:slug/agents/:id";

const pathOf = ({ here, params }: WorkspaceCall) =>
  `/w/${here.workspace.slug}/agents/${encodeURIComponent(params.id ?? "")}`;

export function agentPage(site: Site): void {
  site.workspace("get", AGENT, (call) => show(site, call));
  actions(site, AGENT, (call, refusal) => show(site, call, refusal), {
    pause: {
      operation: "agents.patch",
      input: ({ form }) => ({ body: { paused: form.text("paused") === "true" } }),
      to: pathOf,
      said: ({ name, paused }: AgentDetailView) =>
        paused ? `${name} is paused. From its next call it can only read.` : `${name} goes on.`,
    },
    cap: {
      operation: "agents.patch",
      input: ({ form }) => ({
        body: { spend_cap_usd: numberOf(form.text("spend_cap_usd")), spend_cap_action: form.text("spend_cap_action") },
      }),
      to: pathOf,
      said: "The cap is changed.",
    },
    change: {
      operation: "agents.patch",
      input: (call) => ({ body: changedAgent(call) }),
      to: pathOf,
      said: "The agent is changed.",
    },
    start: {
      operation: "agent-sessions.create",
      input: ({ form, params }) => ({
        params: {},
        body: { agent_id: params.id, title: form.text("title"), issue_key: orAbsent(form.text("issue_key")) },
      }),
      to: ({ here }, made: AgentSessionView) => `/w/${here.workspace.slug}/agents/sessions/${made.id}`,
      said: "The agent is told. It begins with its next look at its stream.",
    },
    disconnect: {
      operation: "agents.delete",
      to: pathOf,
      said: ({ name }: AgentDetailView) => `${name} is disconnected. All its keys are revoked.`,
    },
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, params, query } = call;
  const [agent, sessions, people] = await Promise.all([
    site.perform<AgentDetailView>(call, "agents.get", { params: { id: params.id ?? "" } }),
    site.list<AgentSessionView>(call, "agent-sessions.list", {
      query: { agent_id: params.id ?? "", limit: "20", cursor: query("cursor") },
    }),
    allPeople(site, call),
  ]);
  const base = `/w/${here.workspace.slug}`;
  const { name, agent_id, description } = agent;
  const mayChange = isAdmin(here.principal.role) || agent.owner_user_id === here.principal.user_id;
  const path = pathOf(call);
  return {
    title: name,
    status: refusal?.status ?? 200,
    seen: { kinds: "spend_cap" },
    live: { kinds: ["agent", "agent_session"] },
    body: html`${crumbs([`${base}/agents`, "Agents"])}
      <div class="headline"><h1>${avatar({ id: agent_id, name, kind: "agent" }, 32)} ${name}</h1>${agentState(agent)}</div>
      ${refusal ? problemBox(refusal) : ""}${description ? html`<p dir="auto">${description}</p>` : ""}
      ${spending(agent)}${about(agent, people, here.now)}
      ${mayChange ? forms(agent, call, refusal) : ""}
      <section class="home-part" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
      ${sessions.data.length === 0 ? html`<p class="quiet">No sessions yet.</p>` : html`<ul class="lines">${sessions.data.map((one) => sessionLine(one, { base, now: here.now }))}</ul>`}
      ${sessions.next === null ? "" : html`<p><a href="${path}?cursor=${sessions.next}" rel="next">More sessions</a></p>`}</section>`,
  };
}

/** What it has spent this month, against its cap. */
function spending({ spend, spend_cap_usd: cap, spend_cap_action }: AgentDetailView): Html {
  const text =
    cap === null
      ? `${dollars(spend.period_usd)} this month, without a cap`
      : `${dollars(spend.period_usd)} of ${dollars(cap)} this month`;
  const bar =
    cap === null || cap === 0
      ? ""
      : html`<progress value="${Math.min(spend.period_usd, cap)}" max="${cap}" aria-label="${text}"></progress>`;
  const then = spend_cap_action === "block" ? "At the cap it starts nothing new." : "At the cap people are told.";
  return html`<section aria-labelledby="spend"><h2 id="spend">Spending</h2>
    <p class="progress">${bar}<span${spend.over_cap ? html` class="late"` : ""}>${text}${spend.over_cap ? ": the cap is reached" : ""}</span></p>
    ${cap === null ? "" : html`<p class="quiet">${then} It begins again on ${exactly(spend.resets_at)}.</p>`}</section>`;
}

const about = (
  agent: AgentDetailView,
  people: People,
  now: string,
): Html => html`<section aria-labelledby="about"><h2 id="about">What it may do</h2>
  ${facts([
    ["Belongs to", agent.owner_user_id && (personOf(people, agent.owner_user_id).name ?? "someone who left")],
    ["Scopes of its key", agent.key_scopes.join(", ") || "None"],
    ["Fields of issues", agent.field_policy === null ? "All" : agent.field_policy.join(", ") || "None"],
    [
      "Connected",
      html`${ago(agent.created_at, now)}, with ${agent.credential === "oauth" ? "a grant that a person approved" : "an API key"}`,
    ],
    ["Key", agent.key_prefix && html`<code>${agent.key_prefix}…</code>`],
    ["Key last used", agent.key_last_used_at && ago(agent.key_last_used_at, now)],
    ["Key ends", agent.key_expires_at && exactly(agent.key_expires_at)],
    ["Waiting work", agent.pending_sessions === 0 ? null : String(agent.pending_sessions)],
    ["Sessions", String(agent.total_sessions)],
    ["Cost of all sessions", agent.cost_total === null ? null : dollars(agent.cost_total)],
    ["Tokens", tokensInWords(agent)],
    ["Name in texts", agent.handle && `@${agent.handle}`],
    ["Kind", words(agent.kind)],
  ])}</section>`;

function forms(agent: AgentDetailView, call: WorkspaceCall, refusal: Refusal | undefined): Html {
  const path = pathOf(call);
  if (agent.key_revoked)
    return html`<p class="quiet">It is disconnected. A new key with its name, or a new approval, connects it again.</p>`;
  const cap = fold(
    "Change the cap",
    html`<form method="post" action="${path}/cap" class="narrow">${revisionField(agent)}
      ${textField({ name: "spend_cap_usd", label: "US dollars a month", value: agent.spend_cap_usd, hint: "Empty: no cap.", refusal })}
      ${select({
        name: "spend_cap_action",
        label: "At the cap",
        value: agent.spend_cap_action,
        required: true,
        refusal,
        options: [
          { value: "alert", label: "Tell people" },
          { value: "block", label: "Start nothing new" },
        ],
      })}
      <button>Change the cap</button></form>`,
  );
  const start = fold(
    "Give it work",
    html`<form method="post" action="${path}/start" class="narrow">${onceField()}
      ${textField({ name: "title", label: "What to do", required: true, max: 300, refusal })}
      ${textField({ name: "issue_key", label: "Issue", placeholder: "WEB-1", refusal })}
      <button>Start a session</button></form>`,
  );
  return html`<section class="home-part" aria-labelledby="control"><h2 id="control">Control</h2>
    <div class="acts">${act(`${path}/pause`, agent.paused ? "Let it go on" : "Pause", { fields: hidden("paused", String(!agent.paused)) })}</div>
    ${agent.paused ? "" : start}${cap}${changeForm(agent, path, call.form, call.request.path === `${path}/change` ? refusal : undefined)}
    ${askFirst({ ask: "Disconnect", action: `${path}/disconnect`, consequence: "All its keys and grants are revoked, its open sessions are cancelled, and its streams end. What it wrote stays.", confirm: `Disconnect ${agent.name}` })}</section>`;
}
