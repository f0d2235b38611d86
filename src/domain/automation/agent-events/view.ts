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

/** The data of a frame of an agent's stream: the message of the event as webhooks get it, and more. */
export const AgentEventView = MessageView.extend(
  described(aboutFrame, { id, sequence, context: z.record(z.string(), z.unknown()), replayed: z.boolean() }),
).meta({ id: "AgentEvent" });
export type AgentEventView = z.output<typeof AgentEventView>;
