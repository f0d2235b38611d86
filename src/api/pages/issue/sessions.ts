import { isOpen } from "../../../domain/automation/agent-sessions/states.ts";
import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isAdmin } from "../../../domain/kernel/roles.ts";
import { hidden, textArea } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { act, fold, progress } from "../kit/pieces.ts";
import { dollars, planSteps, sessionState } from "../kit/sessions.ts";
import { ago } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import type { About } from "./page.ts";
import { textOf } from "./texts.ts";

/** What agents do on the issue. An answer is a comment: it reaches the agents that work on the issue. */

/** Open sessions come before everything else, because somebody may wait for an answer. */
export function openSessions(about: About): Html | string {
  const open = about.sessions.filter(({ state }) => isOpen(state));
  if (open.length === 0) return "";
  return html`<section id="sessions" aria-labelledby="sessions-title"><h2 class="out" id="sessions-title">Agents at work</h2>
    ${open.map((session) => sessionPart(about, session))}</section>`;
}

export function endedSessions(about: About): Html | string {
  const ended = about.sessions.filter(({ state }) => !isOpen(state));
  if (ended.length === 0) return "";
  return html`<section id="ended-sessions" aria-labelledby="ended-title"><h2 id="ended-title">Earlier work of agents</h2>
    ${ended.map((session) =>
      fold(
        html`<span id="session-${session.id}">${session.agent_name || "An agent"}: ${session.title} ${sessionState(session)}</span>`,
        details(about, session),
      ),
    )}</section>`;
}

function sessionPart(about: About, session: AgentSessionView): Html {
  const { id, agent_id, agent_name, title, last_activity_at } = session;
  return html`<article class="session ${session.state}" id="session-${id}" aria-labelledby="session-${id}-title">
    <div class="comment-head">${person({ id: agent_id, name: agent_name || null, kind: "agent" })} ${sessionState(session)}
      <span class="quiet">last heard ${ago(last_activity_at, about.call.here.now)}</span></div>
    <h3 id="session-${id}-title" dir="auto">${title}</h3>
    ${question(about, session)}${details(about, session)}${controls(about, session)}</article>`;
}

/** Each possible answer is a button; any other one can be written. */
function question(about: About, { id, state, question: asked }: AgentSessionView): Html | string {
  if (state !== "needs_input" || asked === null) return "";
  const { base, call, mayTalk } = about;
  const typed = call.form.text("session") === id ? call.form.text("body_md") : "";
  const fields = html`${onceField()}${hidden("session", id)}`;
  const free = (label: string) =>
    html`<form method="post" action="${base}/answer">${fields}${textArea({ name: "body_md", label, rows: 3, required: true, value: typed, prefix: `answer-${id}-` })}<button>Answer</button></form>`;
  return html`<div class="asked"><p class="as-label">Question</p>${textOf(about, asked.text)}
    ${
      mayTalk
        ? html`${
            asked.options.length === 0
              ? ""
              : html`<form method="post" action="${base}/answer">${fields}<div class="row">${asked.options.map((option) => html`<button name="body_md" value="${option}" class="second" dir="auto">${option}</button>`)}</div></form>`
          }
        ${asked.options.length === 0 ? free("Your answer") : fold("Another answer", free("Your answer"), { open: typed !== "" })}`
        : ""
    }</div>`;
}

function details(about: About, session: AgentSessionView): Html {
  const { plan, note, summary, error, external_url, branch, state_reason } = session;
  const done = plan.filter(({ status }) => status === "completed").length;
  return html`${note ? html`<p dir="auto">${note}</p>` : ""}
    ${plan.length === 0 ? "" : html`${progress(done, plan.length, "steps")}${planSteps(plan)}`}
    ${summary ? textOf(about, summary) : ""}
    ${error ? html`<p class="late" dir="auto">${error}</p>` : ""}${state_reason ? html`<p class="quiet">${words(state_reason)}.</p>` : ""}
    ${external_url ? html`<p><a href="${external_url}" rel="nofollow noopener">${external_url}</a></p>` : ""}
    <p class="quiet">${[branch && html`Branch <code>${branch}</code>`, ...costs(session)].filter(Boolean).map((one, n) => html`${n > 0 ? " · " : ""}${one ?? ""}`)}</p>`;
}

function costs({
  cost_usd,
  cost_estimated,
  tokens_in,
  tokens_out,
  model,
  started_at,
  ended_at,
}: AgentSessionView): string[] {
  const tokens = (tokens_in ?? 0) + (tokens_out ?? 0);
  const minutes =
    ended_at === null ? null : Math.max(1, Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 60_000));
  return [
    cost_usd === null ? "" : `${cost_estimated ? "about " : ""}${dollars(cost_usd)}`,
    tokens === 0 ? "" : `${new Intl.NumberFormat("en-GB").format(tokens)} tokens`,
    model ?? "",
    minutes === null ? "" : `${minutes} min`,
  ].filter(Boolean);
}

function controls({ base, call, mayWrite }: About, { id, state, agent_name }: AgentSessionView): Html | string {
  if (!mayWrite) return "";
  const accept =
    state === "review" && isAdmin(call.here.principal.role)
      ? act(`${base}/session-done`, "Accept the result", { second: false, fields: hidden("session", id) })
      : "";
  return html`<div class="row">${accept}${askFirst({
    ask: "Cancel",
    about: `the session of ${agent_name || "the agent"}`,
    action: `${base}/session-cancel`,
    consequence: "The agent is told to stop. The session cannot be continued.",
    confirm: "Cancel the session",
    fields: hidden("session", id),
  })}</div>`;
}
