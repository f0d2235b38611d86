import { z } from "zod";
import { type Happened, type Notice, notice, rule } from "./notice.ts";

/** What sessions of agents notify of: they wait for an answer or a review, or they failed. */

/** Events of another group, which this one does not import. */
const view = z.object({
  id: z.string(),
  state: z.string(),
  state_reason: z.string().nullable(),
  agent_name: z.string(),
  title: z.string(),
  issue_id: z.string().nullable(),
  issue_key: z.string().nullable(),
  question: z.object({ text: z.string() }).nullable(),
  note: z.string().nullable(),
  external_url: z.string().nullable(),
  summary: z.string().nullable(),
  error: z.string().nullable(),
});
type Session = z.output<typeof view>;

/** Nobody has to do anything when an agent is paused, or goes on where it was. */
const TELLS = `
  e.data ->> 'state' in ('needs_input', 'review', 'failed')
  and coalesce(e.data ->> 'state_reason', '') <> 'agent_paused'
  and coalesce(e.previous ->> 'state_reason', '') <> 'agent_paused'`;

const ASKS_AGAIN = "'question' = any(e.changed) and e.data ->> 'state' = 'needs_input'";

export const sessionRules = [
  rule({ name: "agent_session.state_changed", view }, TELLS, noticesOf),
  rule({ name: "agent_session.updated", view }, ASKS_AGAIN, noticesOf),
];

function noticesOf(event: Happened<Session>): Notice[] {
  const { state, state_reason, question, note, external_url, summary, error, title = "" } = event.data;
  const about = { session_id: event.data.id, issue_id: event.data.issue_id ?? null };
  const who = event.data.agent_name || "An agent";
  const on = event.issue_key ?? event.data.issue_key ?? title;
  switch (state) {
    case "needs_input":
      return [
        notice("session_needs_input", about, {
          circle: "session_followers",
          title: `${who} needs your input on ${on}`,
          markdown: question?.text || note || title,
        }),
      ];
    case "review":
      return [
        notice("session_review", about, {
          circle: "session_followers",
          title: `${who} asks for a review of ${on}`,
          body: [external_url, summary].filter(Boolean).join(" ") || title,
        }),
      ];
    case "failed":
      return [
        notice("session_failed", about, {
          circle: "session_owners",
          title: `${who} failed on ${on}`,
          body: error || (state_reason === "heartbeat_lost" ? "It has been silent for too long." : title),
        }),
      ];
    default:
      return [];
  }
}
