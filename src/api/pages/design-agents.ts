import { STATES } from "../../domain/automation/agent-sessions/states.ts";
import type { AgentSessionView } from "../../domain/automation/agent-sessions/view.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import type { NotificationView } from "../../domain/knowledge/notifications/view.ts";
import { noticeLine } from "./kit/notifications.ts";
import { act } from "./kit/pieces.ts";
import { planSteps, sessionLine, tokensInWords } from "./kit/sessions.ts";

/** Examples of sessions, plans and notifications on the design page. */

const PLAN: AgentSessionView["plan"] = [
  { text: "Read the code", status: "completed" },
  { text: "Write a test", status: "in_progress" },
  { text: "Mend it", status: "pending" },
];

const sessions = (now: string) =>
  STATES.map(
    (state, n) =>
      ({
        id: `s${n}`,
        agent_id: "01900000-0000-7000-8000-000000000004",
        agent_name: "Release bot",
        title: "Fix the sign-in on Safari",
        state,
        state_reason: null,
        stalled: n === 0,
        unverified: state === "done",
        note: n === 0 ? "Running the tests" : null,
        cost_usd: n === 4 ? null : 1.5,
        issue_key: n === 5 ? null : "WEB-12",
        plan: n < 3 ? PLAN : [],
        last_activity_at: now,
        question: state === "needs_input" ? { text: "Which browsers have to work?", options: [] } : null,
      }) as unknown as AgentSessionView,
  );

const notice = (id: string, now: string, read_at: string | null) =>
  ({
    id,
    title: "Ada Lovelace mentioned you in WEB-12",
    body: read_at === null ? "Can you sign the tag?" : "",
    read_at,
    created_at: now,
    url: "https://muster.example/w/acme/p/web/WEB-12",
    session_id: null,
  }) as unknown as NotificationView;

export const agentPieces = (shown: { base: string; now: string }): Html => html`
  <ul class="lines">${sessions(shown.now).map((session) => sessionLine(session, shown))}</ul>
  ${planSteps(PLAN)}
  <p>${[8000, null].map((cached_tokens) => html`${tokensInWords({ tokens_in: 12_000, tokens_out: 900, cached_tokens }) ?? ""}. `)}</p>
  <ul class="lines">${noticeLine(notice("1", shown.now, null), { ...shown, isMixed: true }, act("#", "Mark as read"))}
  ${noticeLine(notice("2", shown.now, shown.now), shown)}</ul>`;
