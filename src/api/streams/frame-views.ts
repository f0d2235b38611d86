import { z } from "zod";
import { AGENT_EVENT_NAMES, AgentEventView } from "../../domain/automation/agent-events/view.ts";
import { type About, described, part, SAMPLE, view } from "../../domain/kernel/described.ts";
import { id, timestamp } from "../../domain/kernel/wire.ts";
import { ChatMessageView, ChatReactionsView } from "../../domain/knowledge/chat-messages/view.ts";
import { END_REASONS } from "./event-stream.ts";

/** Frames of streams for the API description: each event as an object with its fields, `data` as the JSON in it. */

const event: About = ["Says how to read `data`."];
const data: About = ["The JSON of the `data` line."];

const frameOf = (name: string, content: z.ZodType) => part({ event, data }, { event: z.literal(name), data: content });

/** A frame that may have an id, from which a stream can be resumed. */
const resumable = (name: string, content: z.ZodType) =>
  part(
    {
      id: ["Send it as `Last-Event-ID` to resume after this event. Absent if the event is not stored.", SAMPLE.other],
      event,
      data,
    },
    { id: id.optional(), event: z.literal(name), data: content },
  );

const StreamEnd = view(
  "StreamEnd",
  {
    reason: [
      "`closing`: connect again. `too_slow`: the client did not read fast enough; connect again. `no_access`, `key_revoked`: the caller may no longer listen.",
    ],
    last_event_id: [
      "Id of the last event that was sent, from which to resume. Absent if there was none.",
      SAMPLE.other,
    ],
  },
  { reason: z.enum(END_REASONS), last_event_id: id.optional() },
);

const ends = ["stream.closing", "stream.closed"].map((name) => frameOf(name, StreamEnd));

const AgentStreamReady = view(
  "AgentStreamReady",
  {
    agent_id: ["Agent whose key opened the stream.", SAMPLE.agent],
    since: ["The time from which stored events are replayed. `null` if none are, or an event decides it.", null],
    clamped: ["Whether `since` was more than 24 hours ago, so that older events are not replayed."],
    gap: ["Whether the event of `Last-Event-ID` is not stored, so that events may be missing."],
    replay_count: ["How many stored events come first.", 0],
    server_time: ["When the stream began, by the clock of the server."],
  },
  {
    agent_id: id,
    since: timestamp.nullable(),
    clamped: z.boolean(),
    gap: z.boolean(),
    replay_count: z.number().int(),
    server_time: timestamp,
  },
);

/** A frame of the stream of an agent. */
export const AgentStreamFrame = z
  .union([
    frameOf("stream.ready", AgentStreamReady),
    ...AGENT_EVENT_NAMES.map((name) =>
      resumable(
        name,
        z.intersection(
          AgentEventView,
          z.looseObject(described({ type: ["The same as `event`."] }, { type: z.literal(name) })),
        ),
      ),
    ),
    ...ends,
  ])
  .meta({ id: "AgentStreamFrame", description: "An event of an agent's stream. Ignore names that you do not know." });

const ChannelStreamReady = view(
  "ChannelStreamReady",
  { channel_id: ["Channel whose messages follow.", SAMPLE.channel] },
  { channel_id: id },
);

const ChatMessageDelta = view(
  "ChatMessageDelta",
  {
    message_id: ["The message that is being written.", SAMPLE.message],
    channel_id: ["Channel in which it is written.", SAMPLE.channel],
    seq: ["Number of the part in its message. Skip one that is not higher than the `seq` of the message.", 1],
    delta: ["Text to append.", "lo"],
    done: ["Whether the message is complete."],
  },
  { message_id: id, channel_id: id, seq: z.number().int(), delta: z.string(), done: z.boolean() },
);

/** A frame of the stream of a channel. */
export const ChannelStreamFrame = z
  .union([
    frameOf("stream.ready", ChannelStreamReady),
    ...["created", "updated", "deleted"].map((change) => frameOf(`chat.message.${change}`, ChatMessageView)),
    frameOf("chat.message.delta", ChatMessageDelta),
    frameOf("chat.message.reactions", ChatReactionsView),
    ...ends,
  ])
  .meta({
    id: "ChannelStreamFrame",
    description: "An event of a channel's stream. Ignore names that you do not know.",
  });
