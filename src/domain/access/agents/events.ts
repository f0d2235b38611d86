import { defineEvent } from "../../events/define-event.ts";
import { AgentDetailView } from "./view.ts";

const ofAgent = {
  view: AgentDetailView,
  audience: "members",
  // They follow from the time, and from the agent's keys, sessions and streams.
  derived: [
    ...(["updated_at", "last_activity_at", "online", "running_sessions", "pending_sessions"] as const),
    ...(["total_sessions", "key_last_used_at", "spend"] as const),
  ] as (keyof AgentDetailView)[],
} as const;

export const agentConnected = defineEvent("agent.connected", {
  ...ofAgent,
  audit: { target: "agent", adds: ["kind", "handle", "owner_user_id", "client_id", "field_policy", "spend_cap_usd"] },
});
export const agentUpdated = defineEvent("agent.updated", { ...ofAgent, audit: { target: "agent" } });
export const agentRevoked = defineEvent("agent.revoked", { ...ofAgent, audit: { target: "agent" } });
/** The costs of the month have passed 80 % of the cap. */
export const agentSpendWarning = defineEvent("agent.spend_warning", ofAgent);
/** The costs of the month have reached the cap. */
export const agentSpendCapReached = defineEvent("agent.spend_cap_reached", ofAgent);
