import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse, refuseField } from "../../kernel/errors.ts";
import { newId, readId } from "../../kernel/ids.ts";
import { lengthOf } from "../../kernel/text.ts";
import type { BareChannel } from "../chat/channels.sql.ts";
import { lockById, refuseArchived } from "../chat/channels.ts";
import type { ChannelRow } from "../chat/view.ts";
import { announceMessage } from "./announce.ts";
import { messageErrors } from "./errors.ts";
import { messageCreated, messageDeleted, messageUpdated } from "./events.ts";
import { type ChatStreamInput, MAX_BODY } from "./inputs.ts";
import { tellReaders } from "./live.ts";
import { insertMessage, messageOfClient, uncountReply } from "./messages.sql.ts";
import { enter, mentionsIn, threadOf, viewOf } from "./messages.ts";
import {
  addPart,
  closeMessage,
  insertFirstPart,
  lockOpen,
  lockStream,
  readStream,
  type StreamState,
} from "./stream.sql.ts";
import type { ChatStreamReply } from "./view.ts";

/**
 * Messages that are written part by part. Everybody sees the message as soon as it is opened. Parts are rows until the
 * message is complete.
 */

/** @throws Refusal not_found, archived, invalid_reference, not_owner_of_resource, stream_closed, stream_gap */
export async function write(
  ctx: InWorkspace & Writing,
  channel: ChannelRow,
  input: ChatStreamInput,
): Promise<ChatStreamReply> {
  if (input.body_md !== undefined && !input.done) {
    refuseField("/body_md", "not_allowed", "is only for the end of a message, with done: true");
  }
  return input.message_id ? append(ctx, channel, input.message_id, input) : open(ctx, channel, input);
}

async function open(ctx: InWorkspace & Writing, { id: channelId }: ChannelRow, input: ChatStreamInput) {
  const { delta, parent_id: ref = null, client_id = null, seq = 0 } = input;
  if (seq !== 0) refuse(messageErrors.stream_gap, { message: "The first part has the number 0.", expected_seq: 0 });
  const channel = await enter(ctx, channelId);
  const present = client_id === null ? null : await messageOfClient(ctx, channelId, client_id);
  if (present) return replyOf((await readStream(ctx, channelId, present))!);

  const { parent_id, root_id } = await threadOf(ctx, channel, ref);
  const id = newId();
  const message = { id, channel_id: channelId, body_md: "", mentions: [], parent_id, root_id, client_id };
  await insertMessage(ctx, { ...message, streamed: true });
  if (delta) await insertFirstPart(ctx, id, delta);
  announceMessage(ctx, channel, messageCreated, await viewOf(ctx, id));
  return finish(ctx, channel, id, input, { seq: 0, length: lengthOf(delta) });
}

async function append(ctx: InWorkspace & Writing, seen: ChannelRow, ref: string, input: ChatStreamInput) {
  const id = readId(ref);
  // Parts of different messages do not wait for each other. The end of one may change the messages above it.
  const channel = input.done ? ((await lockById(ctx, seen.id))?.object ?? refuse("not_found")) : seen;
  const stream = id && (await lockStream(ctx, channel.id, id));
  if (!stream) refuse("not_found");
  ctx.waited();
  const earlier = checkPart(ctx, stream, input);
  if (earlier) return earlier;
  refuseArchived(channel);
  return finish(ctx, channel, id, input, await addPart(ctx, { id, delta: input.delta }));
}

/** Tells the readers of a part that was added, and ends the message if it was the last one. Returns the reply. */
async function finish(
  ctx: InWorkspace & Writing,
  channel: ChannelRow,
  message_id: string,
  { delta, done, body_md }: ChatStreamInput,
  { seq, length }: { seq: number; length: number },
): Promise<ChatStreamReply> {
  const heard = { kind: "delta", message_id, channel_id: channel.id, seq, delta, done } as const;
  ctx.afterCommit((ports) => tellReaders(ports, channel.id, heard));
  const closed = done ? await close(ctx, channel, message_id, { status: "done", body_md }) : null;
  return { message_id, done, seq, length: closed?.length ?? length };
}

/**
 * Checks that a part is the next one. Returns the reply for one that was added before, which changes nothing.
 * @throws Refusal not_found, not_owner_of_resource, stream_closed, stream_gap, validation_failed
 */
function checkPart({ principal }: InWorkspace, stream: StreamState, input: ChatStreamInput): ChatStreamReply | null {
  const { seq, delta, done, body_md } = input;
  const { stream_status, stream_seq: last } = stream;
  if (stream.author_id !== principal.user_id) {
    if (stream.deleted_at) refuse("not_found");
    refuse("not_owner_of_resource", { message: "Only its author can add parts to a message. Open one of your own." });
  }
  if (stream_status !== "open") {
    if (stream_status === "done" && done && seq === last) return replyOf(stream);
    refuse(messageErrors.stream_closed, { message_id: stream.id });
  }
  if (seq !== undefined && seq <= last) return replyOf(stream);
  if (seq !== undefined && seq > last + 1) refuse(messageErrors.stream_gap, { expected_seq: last + 1 });
  if (body_md === undefined && stream.stream_length + lengthOf(delta) > MAX_BODY) {
    refuseField("/delta", "too_long", `would make the message longer than ${MAX_BODY} characters`);
  }
  return null;
}

const replyOf = ({ id, stream_status, stream_seq, stream_length }: StreamState): ChatStreamReply => ({
  message_id: id,
  done: stream_status !== "open",
  seq: stream_seq,
  length: stream_length,
});

/**
 * Ends an open message. One without text is removed. Does nothing if the message is no longer open, or not silent if that
 * is why it ends. The caller has locked the channel.
 * @param end.body_md the whole text; default: that of the parts
 */
export async function close(
  ctx: Writing & { workspace: { id: string } },
  channel: BareChannel,
  id: string,
  { status, body_md }: { status: "done" | "timed_out"; body_md?: string | undefined },
): Promise<{ length: number } | null> {
  const parts = await lockOpen(ctx, id, status === "timed_out");
  if (!parts) return null;
  ctx.waited();
  const text = body_md ?? parts.body_md;
  const mentions = await mentionsIn(ctx, channel, text);
  const before = await viewOf(ctx, id);
  await closeMessage(ctx, id, { status, body_md: text, mentions, now: ctx.now, isEmpty: text === "" });
  if (text === "") await uncountReply(ctx, before);
  const view = await viewOf(ctx, id);
  const { streaming, stream_status, mentions: none } = before;
  const shown = { streaming, stream_status, mentions: none };
  if (text === "") announceMessage(ctx, channel, messageDeleted, view);
  else announceMessage(ctx, channel, messageUpdated, view, { before: shown, unseen: ["body_md"] });
  return { length: lengthOf(text) };
}
