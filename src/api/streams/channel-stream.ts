import type { InWorkspace } from "../../domain/kernel/context.ts";
import { inOrder } from "../../domain/knowledge/chat-messages/in-order.ts";
import { type Delta, listenTo } from "../../domain/knowledge/chat-messages/live.ts";
import { readParts } from "../../domain/knowledge/chat-messages/stream.sql.ts";
import { Stream } from "../engine/stream.ts";
import { eventStream } from "./event-stream.ts";
import { frame } from "./frames.ts";

const partOf = ({ kind: _, ...part }: Delta) => part;

/** How often the caller's right to read is checked, besides at once when somebody leaves. */
const CHECK_MS = 10_000;

/**
 * Streams what happens in a channel from now on: messages, and the parts of messages that are being written. It ends when
 * the caller may no longer read the channel.
 */
export const channelStream = (
  { db, ports, principal, workspace, log }: InWorkspace,
  channelId: string,
  isStillAllowed: () => Promise<boolean>,
): Stream =>
  new Stream("text/event-stream; charset=utf-8", (signals) =>
    eventStream(signals, async (feed) => {
      const hear = inOrder(
        (messageId, after, upTo) => readParts({ db, workspace }, messageId, after, upTo),
        (heard) => {
          if (heard.kind === "event") feed.push(frame(heard.type, heard.message));
          else if (heard.kind === "left") heard.user_id === principal.user_id && feed.end("no_access");
          else feed.push(frame("chat.message.delta", partOf(heard)));
        },
      );
      const check = async () => {
        const allowed = await isStillAllowed().catch((error) => {
          log.warn({ err: error }, "a stream's access could not be checked");
          return true;
        });
        if (!allowed) feed.end("no_access");
      };
      const stopListening = listenTo(ports, { workspaceId: workspace.id, channelId }, hear);
      const checking = setInterval(check, CHECK_MS);
      feed.push(frame("stream.ready", { channel_id: channelId }));
      // The caller may have left before this listened.
      await check();
      return () => {
        stopListening();
        clearInterval(checking);
      };
    }),
  );
