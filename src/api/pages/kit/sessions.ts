import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { person } from "./people.ts";
import { badge, progress, type Tone } from "./pieces.ts";
import { ago } from "./times.ts";

/** Sessions of agents: a line of a list, the state in a word, and the plan. */

type State = AgentSessionView["state"];

const STATES: Record<State, [words: string, tone: Tone]> = {
  running: ["At work", "good"],
  needs_input: ["Asks a question", "warn"],
  review: ["Ready for review", "warn"],
  done: ["Done", ""],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", "quiet"],
};

/** The state as a badge, whether nothing was heard of the agent for a while, and whether nothing shows its result. */
export const sessionState = ({
  state,
  stalled,
  unverified,
  state_reason,
}: Pick<AgentSessionView, "state" | "stalled" | "unverified" | "state_reason">): Html => {
  const [text, tone] = state_reason === "agent_paused" ? (["Paused", "quiet"] as const) : STATES[state];
  return html`${badge(text, tone)}${stalled ? html` ${badge("Silent for 30 minutes", "warn")}` : ""}${unverified ? html` ${badge("Not shown to work", "warn")}` : ""}`;
};

/** `1.5` → `$1.50`; less than a cent in full. */
export function dollars(usd: number): string {
  const digits = usd !== 0 && Math.abs(usd) < 0.01 ? 4 : 2;
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", minimumFractionDigits: digits }).format(
    usd,
  );
}

const COUNTS = new Intl.NumberFormat("en-GB");

type Tokens = Pick<AgentSessionView, "tokens_in" | "tokens_out" | "cached_tokens">;

/** Null if none were reported. */
export function tokensInWords({ tokens_in, tokens_out, cached_tokens }: Tokens): string | null {
  if (tokens_in === null) return null;
  const many = (tokens: number | null) => COUNTS.format(tokens ?? 0);
  return `${many(tokens_in)} in${cached_tokens ? ` (${many(cached_tokens)} of them cached)` : ""}, ${many(tokens_out)} out`;
}

/** Path of an issue by its key alone. A project is also found by its key. */
export const issuePathOf = (base: string, key: string): string =>
  `${base}/p/${key.slice(0, key.lastIndexOf("-"))}/${key}`;

/** A line of a list. `base`: path of the workspace. */
export function sessionLine(session: AgentSessionView, { base, now }: { base: string; now: string }): Html {
  const { id, agent_id, agent_name, title, issue_key, note, plan, cost_usd, last_activity_at, question } = session;
  const done = plan.filter(({ status }) => status === "completed").length;
  const says = question?.text ?? note;
  return html`<li class="object-line" id="session-${id}">
    <div class="object-name"><p class="marks">${person({ id: agent_id, name: agent_name || null, kind: "agent" })} ${sessionState(session)}</p>
      <a class="issue-title strong" href="${base}/agents/sessions/${id}" dir="auto">${title}</a>
      ${says ? html`<p class="says" dir="auto">${says}</p>` : ""}
      <p class="marks quiet">${issue_key === null ? "" : html`<a href="${issuePathOf(base, issue_key)}">${issue_key}</a>`}
        <span>${ago(last_activity_at, now)}</span>${cost_usd === null ? "" : html`<span>${dollars(cost_usd)}</span>`}</p></div>
    ${plan.length > 0 ? progress(done, plan.length, "steps") : ""}</li>`;
}

const MARKS = { pending: "○", in_progress: "◐", completed: "●" } as const;
const STEPS = { pending: "To do", in_progress: "In progress", completed: "Done" } as const;

/** The steps of a plan, and how far each is. */
export const planSteps = (plan: AgentSessionView["plan"]): Html =>
  html`<ol class="plan">${plan.map(
    ({ text, status }) =>
      html`<li class="${status}"><span class="step-mark" role="img" aria-label="${STEPS[status]}">${MARKS[status]}</span> <span dir="auto">${text}</span></li>`,
  )}</ol>`;
