import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { flag, idInput, line, reference, text } from "../../kernel/wire.ts";
import {
  aboutMessageInput,
  aboutMessageQuery,
  aboutReactionInput,
  aboutRead,
  aboutStreamInput,
} from "./descriptions.ts";

/** Bodies of the calls of messages, named as the specification names them. */

export const MAX_BODY = 64_000;
const body = text(1, MAX_BODY);

export const ChatMessageCreateInput = input("ChatMessageCreateInput", aboutMessageInput, {
  body_md: body,
  parent_id: idInput.nullable().optional(),
  client_id: line(1, 64).nullable().optional(),
});
export type ChatMessageCreateInput = z.output<typeof ChatMessageCreateInput>;

export const ChatMessagePatchInput = input("ChatMessagePatchInput", aboutMessageInput, { body_md: body.optional() });
export type ChatMessagePatchInput = z.output<typeof ChatMessagePatchInput>;

export const ChatMessageQuery = inputPart(aboutMessageQuery, {
  root_id: reference.optional(),
  top_level: flag.default("false"),
  around: reference.optional(),
  mark_read: flag.default("true"),
});
export type ChatMessageQuery = z.output<typeof ChatMessageQuery>;

/** Length of a reaction. */
const MAX_EMOJI = 16;

/**
 * Keyboards send the same emoji with and without a variation selector, e.g. U+2764 and U+2764 U+FE0F. A reaction is always
 * shown as an emoji, so it is stored as Unicode lists it (fully qualified): with U+FE0F where the character alone is text.
 */
const asListed = (text: string): string => text.replace(SELECTORS, "").replace(SHOWN_AS_TEXT, "$&\ufe0f");

const SELECTORS = /[\ufe0e\ufe0f]/g;
/** Emoji that are text without a selector, but for those with a skin tone. Digits are emoji only as keycaps. */
const SHOWN_AS_TEXT = /(?![\d#*]|\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})|[\d#*](?=\u20e3)/gu;

// The normal form of some letters is longer than they are.
const emoji = line(1, MAX_EMOJI)
  .overwrite((text) => asListed(text.normalize("NFC")))
  .max(MAX_EMOJI);

export const ChatReactionInput = input("ChatReactionInput", aboutReactionInput, { emoji });
export type ChatReactionInput = z.output<typeof ChatReactionInput>;

export const ChatReadInput = input("ChatReadInput", aboutRead, { message_id: idInput.optional() });
export type ChatReadInput = z.output<typeof ChatReadInput>;

export const ChatStreamInput = input("ChatStreamInput", aboutStreamInput, {
  message_id: idInput.nullable().optional(),
  // CRLF may be divided between two parts, so line ends are read in the whole text.
  delta: z.string().max(16_000).default(""),
  done: z.boolean().default(false),
  seq: z.number().int().min(0).max(1_000_000).optional(),
  parent_id: idInput.nullable().optional(),
  client_id: line(1, 64).nullable().optional(),
  body_md: body.optional(),
});
export type ChatStreamInput = z.output<typeof ChatStreamInput>;
