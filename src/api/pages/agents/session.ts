import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isEditor } from "../../../domain/kernel/roles.ts";
import { allPeople, personOf } from "../issue/read.ts";
import { textArea } from "../kit/fields.ts";
import { person } from "../kit/people.ts";
import { crumbs, facts } from "../kit/pieces.ts";
import { dollars, issuePathOf, planSteps, sessionState, tokensInWords } from "../kit/sessions.ts";
import { ago, exactly } from "../kit/times.ts";
import { long } from "../kit/typed.ts";
import { written } from "../kit/written.ts";
import { actions } from "../site/actions.ts";
import { askFirst } from "../site/confirm.ts";
import { onceField } from "../site/once.ts";
import { type PageAnswer, problemBox, type Site, type WorkspaceCall } from "../site/site.ts";

/** A session of an agent: its plan, what it does, what it asks, and what it cost. */

const SESSION = "/w/:slug/agents/sessions/:id";

const pathOf = ({ here, params }: WorkspaceCall) =>
  `/w/${here.workspace.slug}/agents/sessions/${encodeURIComponent(params.id ?? "")}`;

export function sessionPage(site: Site): void {
  site.workspace("get", SESSION, (call) => show(site, call));
  actions(site, SESSION, (call, refusal) => show(site, call, refusal), {
    // An agent hears what people write on its issue.
    answer: {
      operation: "comments.create",
      input: ({ form }) => {
        const issueKey = form.text("issue");
        const params = { key: issueKey.slice(0, issueKey.lastIndexOf("-")), issueKey };
        return { params, body: { body_md: form.text("option") || long(form.text("body_md")) } };
      },
      to: pathOf,
      said: "Your answer is on its way to the agent.",
    },
    cancel: {
      operation: "agent-sessions.patch",
      input: () => ({ body: { state: "cancelled" } }),
      to: pathOf,
      said: "The session is cancelled. The agent is told to stop.",
    },
    accept: {
      operation: "agent-sessions.patch",
      input: () => ({ body: { state: "done" } }),
      to: pathOf,
      said: "The result is accepted.",
    },
  });
}

async function show(site: Site, call: WorkspaceCall, refusal?: Refusal): Promise<PageAnswer> {
  const { here, params } = call;
  const session = await site.perform<AgentSessionView>(call, "agent-sessions.get", { params: { id: params.id ?? "" } });
  const base = `/w/${here.workspace.slug}`;
  const { title, agent_id, agent_name, issue_key, note, plan, summary, error, started_by } = session;
  const starter = started_by === agent_id ? null : personOf(await allPeople(site, call), started_by);
  const agent = person({ id: agent_id, name: agent_name || null, kind: "agent" });
  return {
    title,
    status: refusal?.status ?? 200,
    seen: { session_id: session.id },
    live: { kinds: ["agent_session"] },
    body: html`${crumbs([`${base}/agents`, "Agents"], [`${base}/agents/${agent_id}`, agent_name || "Agent"])}
      <p class="marks">${agent} ${sessionState(session)}${issue_key === null ? "" : html` <a href="${issuePathOf(base, issue_key)}">${issue_key}</a>`}</p>
      <h1 dir="auto">${title}</h1>
      ${refusal ? problemBox(refusal) : ""}
      ${await question(session, call, refusal)}
      ${note ? html`<section aria-labelledby="note"><h2 id="note">Now</h2><p dir="auto">${note} <span class="quiet">${ago(session.last_activity_at, here.now)}</span></p></section>` : ""}
      ${plan.length > 0 ? html`<section aria-labelledby="plan"><h2 id="plan">Plan</h2>${planSteps(plan)}</section>` : ""}
      ${summary ? html`<section aria-labelledby="summary"><h2 id="summary">What was done</h2>${await written(here, summary)}</section>` : ""}
      ${error ? html`<section aria-labelledby="error"><h2 id="error">What went wrong</h2><p class="plain-text" dir="auto">${error}</p></section>` : ""}
      <section aria-labelledby="facts"><h2 id="facts">Facts</h2>${factsOf(session, { now: here.now, base, by: starter && (starter.name ?? "someone") })}</section>
      ${control(session, call)}`,
  };
}

/** What the agent asks. The answer is a comment on its issue. */
async function question(
  { question: asked, issue_key }: AgentSessionView,
  call: WorkspaceCall,
  refusal: Refusal | undefined,
): Promise<Html> {
  if (!asked) return html``;
  const form =
    issue_key !== null && call.here.principal.role !== "viewer"
      ? html`<form method="post" action="${pathOf(call)}/answer" class="narrow">${onceField()}<input type="hidden" name="issue" value="${issue_key}">
        ${asked.options.length > 0 ? html`<p class="row">${asked.options.map((option) => html`<button class="second" name="option" value="${option}">${option}</button>`)}</p>` : ""}
        ${textArea({ name: "body_md", label: asked.options.length > 0 ? "Or in your own words" : "Your answer", rows: 3, required: asked.options.length === 0, max: 64_000, value: call.form.text("body_md"), refusal })}
        <button>Answer</button></form>`
      : "";
  return html`<section class="card" aria-labelledby="question"><h2 id="question">It asks</h2>${await written(call.here, asked.text)}${form}</section>`;
}

/** `by`: who started it, if that was not the agent itself. */
type Around = { now: string; base: string; by: string | null };

function factsOf(session: AgentSessionView, { now, base, by }: Around): Html {
  const { external_url: url, cost_usd, cost_estimated, burn_rate_usd_per_hour: rate } = session;
  return facts([
    ["Started", html`${ago(session.started_at, now)}${by === null ? "" : html` by ${by}`}`],
    [
      "For a workflow",
      session.workflow_run_id && html`<a href="${base}/workflow-runs/${session.workflow_run_id}">Its run</a>`,
    ],
    ["Asked", session.needs_input_at && ago(session.needs_input_at, now)],
    ["Ready for review", session.review_at && ago(session.review_at, now)],
    ["Last heard", ago(session.last_activity_at, now)],
    ["Ended", session.ended_at && exactly(session.ended_at)],
    ["Result", url && html`<a href="${url}" rel="nofollow noopener">${url}</a>`],
    ["Branch", session.branch && html`<code>${session.branch}</code>`],
    ["Cost", cost_usd === null ? null : `${dollars(cost_usd)}${cost_estimated ? ", partly estimated" : ""}`],
    ["Cost per hour", rate === null ? null : dollars(rate)],
    ["Tokens", tokensInWords(session)],
    ["Model", session.model],
    ["Not shown to work", session.unverified ? "It names no result, and has not commented on the issue." : null],
    ["Continued", session.reopened === 0 ? null : `${counted(session.reopened, "time")} after its end`],
  ]);
}

/** Accepting the result, and stopping. The operations decide who may. */
function control({ state }: AgentSessionView, call: WorkspaceCall): Html {
  const isOpen = state === "running" || state === "needs_input" || state === "review";
  if (!isOpen || !isEditor(call.here.principal.role)) return html``;
  const path = pathOf(call);
  return html`<section aria-labelledby="control"><h2 id="control">Control</h2>
    ${state === "review" ? html`<form method="post" action="${path}/accept"><button>Accept the result</button></form>` : ""}
    ${askFirst({ ask: "Cancel", about: "the session", action: `${path}/cancel`, consequence: "The session ends for good, and the agent is told to stop. What it did so far stays.", confirm: "Cancel the session" })}</section>`;
}
