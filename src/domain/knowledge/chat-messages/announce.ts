import { record, recordChange } from "../../events/record.ts";
import type { Writing } from "../../kernel/context.ts";
import type { BareChannel } from "../chat/channels.sql.ts";
import { type messageCreated, type messageDeleted, messageUpdated } from "./events.ts";
import { tellReaders } from "./live.ts";
import type { ChatMessageView } from "./view.ts";

/**
 * Records an event of a message, and tells the readers of the channel at once.
 * @param change what the message showed before, for a change
 */
export function announceMessage(
  ctx: Writing & { workspace: { id: string } },
  channel: BareChannel,
  event: typeof messageCreated | typeof messageUpdated | typeof messageDeleted,
  message: ChatMessageView,
  change?: { before: Partial<ChatMessageView>; unseen?: readonly string[] },
): void {
  const here = { ...ctx, channel };
  const { before, ...about } = change ?? {};
  if (before) recordChange(here, messageUpdated, before as ChatMessageView, message, about);
  else record(here, event, message);
  ctx.afterCommit((ports) => tellReaders(ports, channel.id, { kind: "event", type: event.name, data: message }));
}
