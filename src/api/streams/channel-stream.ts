import type { InWorkspace, WithCredential } from "../../domain/kernel/context.ts";
import { inOrder } from "../../domain/knowledge/chat-messages/in-order.ts";
import { type Delta, type Heard, listenTo } from "../../domain/knowledge/chat-messages/live.ts";
import { readParts } from "../../domain/knowledge/chat-messages/stream.sql.ts";
import type { Streaming } from "../engine/handler.ts";
import { Stream } from "../engine/stream.ts";
import { watchAccess } from "./access-watch.ts";
import { EventStream, type Feeder } from "./event-stream.ts";
import { frame } from "./frames.ts";

const partOf = ({ kind: _, ...part }: Delta) => part;

const frames = new WeakMap<Heard, string>();

/** The frame of what is heard. All readers in a process hear the same object, and it is written once. */
function frameOf(heard: Heard): string {
  const known = frames.get(heard);
  if (known !== undefined) return known;
  const text = heard.kind === "event" ? frame(heard.type, heard.data) : frame("chat.message.delta", partOf(heard));
  frames.set(heard, text);
  return text;
}

/** Within how long the clients of a process reconnect after messages may have been lost. Not all at the same time. */
const RECONNECT_MS = 10_000;

/**
 * Streams what happens in a channel from now on: messages, and the parts of messages that are being written. It ends when
 * the caller may no longer read the channel.
 */
export const channelStream = (
  ctx: InWorkspace & WithCredential,
  channelId: string,
  checkAccess: Streaming["checkAccess"],
): Stream =>
  new Stream(
    "text/event-stream; charset=utf-8",
    (outlet, stopping) => new EventStream(outlet, stopping, (stream) => feed(stream, ctx, channelId, checkAccess)),
  );

function feed(
  stream: EventStream,
  ctx: InWorkspace & WithCredential,
  channelId: string,
  checkAccess: Streaming["checkAccess"],
): Feeder {
  const { db, workspace, log, ports } = ctx;
  const { hear, then } = inOrder(
    (messageId, after, upTo) => readParts({ db, workspace }, messageId, after, upTo),
    (heard) => stream.push(frameOf(heard)),
    (error) => {
      log.warn({ err: error }, "a channel's stream ended, because it could not read the database");
      stream.close();
    },
  );
  // What is heard after a change of the caller's rights waits for the check.
  let isCheckDue = false;
  const check = () => {
    if (isCheckDue) return;
    isCheckDue = true;
    then(async () => {
      isCheckDue = false;
      const { lost, until } = await checkAccess();
      if (lost !== null) stream.end("no_access");
      else watching.endsAt(until);
    });
  };
  let reconnecting: NodeJS.Timeout | undefined;
  const interrupted = () => {
    reconnecting ??= setTimeout(() => stream.close(), Math.random() * RECONNECT_MS);
  };
  // What is heard earlier may have been said after the caller left, and may have gaps.
  let awaited = 2;
  const listening = () => {
    if (--awaited > 0) return;
    // The caller may have left before this listened.
    check();
    then(() => stream.push(frame("stream.ready", { channel_id: channelId })));
  };
  const hearAll = (heard: Heard) => {
    if (awaited === 0) hear(heard);
  };
  const stopListening = listenTo(ports, channelId, { hear: hearAll, interrupted, listening });
  const watching = watchAccess(ctx, { check, listening }, { isByKey: false });
  return {
    stop() {
      stopListening();
      watching.stop();
      clearTimeout(reconnecting);
    },
  };
}
