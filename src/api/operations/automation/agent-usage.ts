import { agentSessionUpdated } from "../../../domain/automation/agent-sessions/events.ts";
import { AgentUsageInput } from "../../../domain/automation/agent-usage/inputs.ts";
import { byId, report } from "../../../domain/automation/agent-usage/report.ts";
import { AgentUsageView } from "../../../domain/automation/agent-usage/view.ts";
import { operation } from "../../engine/operation.ts";

export const agentUsageOperations = [
  operation({
    id: "agent-sessions.usage",
    route: "POST W/agent-sessions/{id}/usage",
    summary: "Report what a turn of a session used: costs, or tokens and the model",
    about:
      "Call it once a turn with a `turn_id`, and a repeated call counts once. `cost_usd` is taken as sent; without it, costs are estimated from tokens and model, or stay `null` if the model is not known. Usage is always recorded, also above the agent's cap.",
    needs: "agents:write",
    limitedKeys: "filter",
    on: byId,
    body: AgentUsageInput,
    example: { turn_id: "turn-17", model: "claude-sonnet-5", tokens_in: 12_000, tokens_out: 800, cached_tokens: 9_000 },
    records: [agentSessionUpdated],
    // What was used is reported also after the session's end, when its project may be archived.
    onArchived: true,
    work: "short",
    returns: AgentUsageView,
    handle: ({ ctx, on, body }) => report(ctx, on, body),
  }),
];
