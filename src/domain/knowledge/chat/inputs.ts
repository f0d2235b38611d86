import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { choice, flag, line, reference } from "../../kernel/wire.ts";
import {
  aboutChannelInput,
  aboutChannelMemberInput,
  aboutChannelMemberPatch,
  aboutChannelQuery,
  aboutDm,
} from "./descriptions.ts";

/** Bodies of the calls of channels, named as the specification names them. */

const name = line(1, 80);

export const ChatChannelCreateInput = input("ChatChannelCreateInput", aboutChannelInput, {
  name,
  kind: choice(["public", "private"]).default("public"),
  topic: line(0, 280).nullable().optional(),
  project: reference.nullable().optional(),
  member_ids: z.array(reference).max(100).default([]),
});
export type ChatChannelCreateInput = z.output<typeof ChatChannelCreateInput>;

export const ChatChannelPatchInput = input("ChatChannelPatchInput", aboutChannelInput, {
  name: name.optional(),
  topic: line(0, 280).nullable().optional(),
  archived: z.boolean().optional(),
});
export type ChatChannelPatchInput = z.output<typeof ChatChannelPatchInput>;

export const ChatDmInput = input("ChatDmInput", aboutDm, { user_ids: z.array(reference).min(1).max(8) });
export type ChatDmInput = z.output<typeof ChatDmInput>;

export const ChatChannelMemberInput = input("ChatChannelMemberInput", aboutChannelMemberInput, {
  user_id: reference.default("me"),
});
export type ChatChannelMemberInput = z.output<typeof ChatChannelMemberInput>;

export const ChatChannelMemberPatchInput = input("ChatChannelMemberPatchInput", aboutChannelMemberPatch, {
  muted: z.boolean().nullable().optional(),
});
export type ChatChannelMemberPatchInput = z.output<typeof ChatChannelMemberPatchInput>;

export const ChatChannelQuery = inputPart(aboutChannelQuery, { archived: flag.default("false") });
export type ChatChannelQuery = z.output<typeof ChatChannelQuery>;
