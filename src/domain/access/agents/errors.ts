import { defineErrors, forbidden } from "../../kernel/define-errors.ts";

export const agentErrors = defineErrors({
  agent_key_required: forbidden(
    "Agent key required",
    "Only an agent can do this.",
    "Use an agent's API key or access token.",
  ),
  agent_paused: forbidden(
    "Agent paused",
    "People have paused this agent. It can read, but not write.",
    "Wait for agent.resumed on its event stream, or ask the people who paused it.",
  ),
  field_not_allowed: forbidden(
    "Field not allowed",
    "The agent may not change these fields of issues.",
    "Leave them out, or ask its owner to allow them.",
  ),
  spend_cap_reached: forbidden(
    "Spend cap reached",
    "The agent has reached its spend cap.",
    "Wait until next month, or ask its owner to raise the cap.",
  ),
});
