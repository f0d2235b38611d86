import { z } from "zod";
import { AgentEventView } from "../../../domain/automation/agent-events/view.ts";
import { instant } from "../../../domain/kernel/wire.ts";
import { operation } from "../../engine/operation.ts";
import { agentStream } from "../../streams/agent-stream.ts";
import { AgentStreamFrame } from "../../streams/frame-views.ts";

const ID = "agent-events.listen";
const CONNECTS_PER_MINUTE = 60;

const AgentEventsQuery = z.object({
  since: instant.optional().meta({
    description:
      "Replays events since this time before the stream goes on with new ones, at most of the last 24 hours. The header `Last-Event-ID` wins over it.",
    examples: ["2026-01-15T09:30:00.000Z"],
  }),
});

export const agentEventOperations = [
  operation({
    id: ID,
    route: "GET W/agent-events",
    summary: "Listen, with an agent's key, to what concerns the agent: assignments, mentions, sessions, wakes",
    about:
      "Server-sent events. The first is `stream.ready`; then each has an id, its name, and a message like that of webhooks with `context`. After a break send `Last-Event-ID` (or `since`), and what was missed within 24 hours is sent before anything new. An event may come twice with the same id. After `stream.closing` connect again; `stream.closed` says why the stream ended. A key connects at most 60 times a minute.",
    needs: "agents:read",
    limitedKeys: "filter",
    query: AgentEventsQuery,
    returns: AgentEventView,
    streams: {
      mediaType: "text/event-stream",
      resumes: true,
      frame: AgentStreamFrame,
      description:
        "Server-sent events until you disconnect; the schema describes each of them, with the JSON of its `data`. `stream.ready` comes first and says what is replayed: `agent_id`, `since`, `clamped`, `gap`, `replay_count`, `server_time`. The data of each event is an `AgentEvent`: a message as webhooks get it, with `context` and `replayed`. " +
        "Its name is `issue.assigned`, `issue.unassigned`, `mention.created`, `agent_session.created`, `agent_session.state_changed`, `agent_session.updated`, `agent_session.input` (what people answer), `agent.wake`, `workflow.stage_activated`, `workflow.stage_cancelled`, `agent.paused`, `agent.resumed`, `agent.spend_warning`, `agent.spend_cap_reached` or `chat.message.created`. " +
        "After `stream.closing` connect again; `stream.closed` has the reason. Send the id of the last event as `Last-Event-ID` to get all events after it and, as long as you have no id, `since`. An event may come twice: skip ids that you know.",
    },
    handle: async ({ ctx, query, streaming }) =>
      agentStream(ctx, query.since, streaming, { id: ID, perMinute: CONNECTS_PER_MINUTE }),
  }),
];
