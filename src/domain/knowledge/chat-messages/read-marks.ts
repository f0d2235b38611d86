import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { viewOf } from "../chat/channels.ts";
import type { ChannelRow, ChatChannelView } from "../chat/view.ts";
import { markAbout } from "../notifications/notifications.ts";
import { findMessages, listMessages, markRead } from "./messages.sql.ts";

/**
 * Marks the messages of a channel as read by the caller, up to a message or all of them. The mark never goes back.
 * @throws Refusal invalid_reference
 */
export async function readUpTo(
  ctx: InWorkspace & Writing,
  channel: ChannelRow,
  ref: string | undefined,
): Promise<ChatChannelView> {
  const id = ref === undefined ? null : readId(ref);
  const [message] =
    ref === undefined
      ? await listMessages(ctx, channel.id, { root_id: null, topLevel: false }, null, 1)
      : await findMessages(ctx, id ? [id] : []);
  if (ref !== undefined && message?.channel_id !== channel.id) refuseReference("/message_id", ref);
  if (message) {
    await markRead(ctx, channel.id, message.number);
    await markAbout(ctx, { channel_id: channel.id, upTo: message.number });
  }
  return viewOf(ctx, channel.id);
}
