import { z } from "zod";
import { aboutMessage } from "../../events/descriptions.ts";
import { MessageView } from "../../events/message-view.ts";
import { described } from "../../kernel/described.ts";

const aboutFrame = {
  id: ["Id of the event. A second frame about the same event has another one.", aboutMessage.id[1]],
  sequence: [
    "Number of the frame among those of the agent that are stored. `null` for one that cannot be replayed.",
    12,
  ],
  context: ["What the event means for the agent; its fields depend on `type`.", { assigned_by: null }],
  replayed: ["Whether the event had been stored when the stream began."],
} as const;

const { id, sequence } = MessageView.shape;

/** The names of the events that agents hear of. */
export const AGENT_EVENT_NAMES = [
  ...(["issue.assigned", "issue.unassigned", "mention.created"] as const),
  ...(["agent_session.created", "agent_session.state_changed", "agent_session.updated"] as const),
  ...(["agent_session.input", "agent.wake", "workflow.stage_activated", "workflow.stage_cancelled"] as const),
  ...(["agent.paused", "agent.resumed", "agent.spend_warning", "agent.spend_cap_reached"] as const),
  "chat.message.created",
] as const;
export type AgentEventName = (typeof AGENT_EVENT_NAMES)[number];

/** The data of a frame of an agent's stream: the message of the event as webhooks get it, and more. */
export const AgentEventView = MessageView.extend(
  described(aboutFrame, { id, sequence, context: z.record(z.string(), z.unknown()), replayed: z.boolean() }),
).meta({ id: "AgentEvent" });
export type AgentEventView = z.output<typeof AgentEventView>;
