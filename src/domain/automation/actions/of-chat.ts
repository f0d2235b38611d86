import { z } from "zod";
import { sees } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuseReference } from "../../kernel/errors.ts";
import { idInput, text } from "../../kernel/wire.ts";
import { byId } from "../../knowledge/chat/channels.ts";
import { MAX_BODY } from "../../knowledge/chat-messages/inputs.ts";
import { create } from "../../knowledge/chat-messages/messages.ts";
import { done, onRun, skipped } from "./define.ts";
import { aboutAction } from "./descriptions.ts";
import { missing } from "./references.ts";
import { markdown, pathProblems } from "./texts.ts";

/** Actions that write to channels. */

const PostMessage = inputPart(aboutAction, {
  type: z.literal("post_message"),
  channel_id: idInput,
  body_md: text(1, MAX_BODY),
});

export const postMessage = onRun(PostMessage, {
  scopes: ["chat:write"],
  check: async (ctx, { channel_id, body_md }) => [
    ...((await channelSeen(ctx, channel_id)) ? [] : [missing("/channel_id", "channel")]),
    ...pathProblems("/body_md", body_md),
  ],
  run: async (ctx, { channel_id, body_md }, running) => {
    const body = markdown(body_md, running, MAX_BODY);
    if (body.trim() === "") return skipped("The message would be empty.");
    const channel = (await channelSeen(ctx, channel_id)) ?? refuseReference("/channel_id", channel_id);
    await create(ctx, channel, { body_md: body });
    return done("Message posted.");
  },
  says: ({ channel_id, body_md }, running) =>
    `Post to the channel ${channel_id}: ${markdown(body_md, running, MAX_BODY)}`,
});

/** A channel that the person sees. A rule that a key set up posts into no direct message: its text would be the person's. */
async function channelSeen(ctx: InWorkspace, id: string) {
  const found = await byId(ctx, id);
  if (!found || !sees(ctx.principal, found)) return null;
  return ctx.principal.key !== null && found.object.kind === "dm" ? null : found.object;
}
