import { defineEvent } from "../../events/define-event.ts";
import { AgentSessionView } from "./view.ts";

const ofSession = {
  view: AgentSessionView,
  audience: "project",
  // They follow from the time and from other sessions.
  derived: [
    ...(["updated_at", "last_activity_at", "stalled", "unverified", "existing", "other_open_session_ids"] as const),
    ...(["burn_rate_usd_per_hour", "claimed_by"] as const),
  ],
} as const;

export const agentSessionCreated = defineEvent("agent_session.created", {
  ...ofSession,
  derived: [...ofSession.derived],
});
export const agentSessionStateChanged = defineEvent("agent_session.state_changed", {
  ...ofSession,
  derived: [...ofSession.derived],
});
export const agentSessionUpdated = defineEvent("agent_session.updated", {
  ...ofSession,
  derived: [...ofSession.derived],
});
