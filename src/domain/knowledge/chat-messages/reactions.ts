import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { ChannelRow } from "../chat/view.ts";
import type { ChatMessageEntity } from "./entities.ts";
import { messageErrors } from "./errors.ts";
import { ChatReactionInput } from "./inputs.ts";
import { tellReaders } from "./live.ts";
import { enter, read as readMessage } from "./messages.ts";
import { deleteReaction, insertReaction, readReactions } from "./reactions.sql.ts";
import type { ChatReactionsView } from "./view.ts";

/** Reactions to messages. Adding and removing one twice changes nothing. */

/** Different reactions of a message, because a message shows all of them. */
const MAX_REACTIONS = 50;

type Located = { message: ChatMessageEntity; channel: ChannelRow };

/** Returns the reactions to a message that a path names. */
export async function read(
  ctx: InWorkspace,
  text: string,
  channel: ChannelRow,
): Promise<Found<ChatReactionsView> | null> {
  const found = await readMessage(ctx, text, channel);
  return found && { ...found, object: await readReactions(ctx, found.object.id) };
}

/** @throws Refusal reaction_limit_reached */
export async function add(
  ctx: InWorkspace & Writing,
  { message, channel }: Located,
  emoji: string,
): Promise<ChatReactionsView> {
  await enter(ctx, channel.id);
  const { reactions } = await readReactions(ctx, message.id);
  const isNew = !reactions.some((reaction) => reaction.emoji === emoji);
  if (isNew && reactions.length >= MAX_REACTIONS) refuse(messageErrors.reaction_limit_reached);
  await insertReaction(ctx, message.id, emoji);
  return tell(ctx, message, await readReactions(ctx, message.id));
}

/** @param text as in the path, decoded @throws Refusal not_found if it cannot be a reaction */
export async function remove(
  ctx: InWorkspace & Writing,
  { message }: Located,
  text: string,
): Promise<ChatReactionsView> {
  // Read as it was when it was added.
  const read = ChatReactionInput.safeParse({ emoji: text });
  if (!read.success) refuse("not_found");
  await deleteReaction(ctx, message.id, read.data.emoji);
  return tell(ctx, message, await readReactions(ctx, message.id));
}

/** Tells the channel's readers of the reactions. They are no event: webhooks would get one for every click. */
function tell(ctx: Writing, message: ChatMessageEntity, data: ChatReactionsView): ChatReactionsView {
  const heard = { kind: "event", type: "chat.message.reactions", data } as const;
  ctx.afterCommit((ports) => tellReaders(ports, message.channel_id, heard));
  return data;
}
