import type { AgentSessionView } from "../../../domain/automation/agent-sessions/view.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { NotificationView } from "../../../domain/knowledge/notifications/view.ts";
import { noticeLine } from "../kit/notifications.ts";
import { sessionLine } from "../kit/sessions.ts";
import type { List } from "../site/perform.ts";

/** What waits for the person: questions of agents, results to look at, approvals, and who named them. */

/** Kinds of notifications that ask for something. */
const ASKING: ReadonlySet<NotificationView["kind"]> = new Set([
  "mentioned",
  "stage_assigned",
  "chat_mention",
  "chat_dm",
  "assigned",
  "overdue",
  "form_submitted",
  "automation_disabled",
  "webhook_disabled",
  "spend_cap",
  "credits_low",
]);
const MOST = 8;

export function waitingPart(
  sessions: readonly AgentSessionView[],
  { data, next }: List<NotificationView>,
  shown: { base: string; now: string },
): Html {
  const { base } = shown;
  // What was paused goes on without an answer.
  const asking = sessions.filter(({ state, state_reason }) => isWaiting(state) && state_reason !== "agent_paused");
  const news = data.filter(({ kind }) => ASKING.has(kind));
  if (asking.length + news.length === 0 && data.length === 0) return html``;
  const more = data.length > Math.min(news.length, MOST) || next !== null;
  return html`<section class="home-part" aria-labelledby="waiting"><h2 id="waiting">Waits for you</h2>
    ${asking.length + news.length === 0 ? "" : html`<ul class="lines">${asking.slice(0, MOST).map((session) => sessionLine(session, shown))}${news.slice(0, MOST).map((one) => noticeLine(one, shown))}</ul>`}
    ${more ? html`<p><a href="${base}/inbox">${next === null ? `${data.length} unread in your inbox` : "Everything in your inbox"}</a></p>` : ""}</section>`;
}

export const isWaiting = (state: AgentSessionView["state"]): boolean => state === "needs_input" || state === "review";
