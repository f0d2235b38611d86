import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { tellEveryone } from "../chat-messages/live.ts";
import { removeMember } from "./channels.sql.ts";
import { channelsOf } from "./members.sql.ts";

/**
 * Removes a user who leaves the workspace from all channels, and ends the streams that they read. Their messages stay. The
 * caller has locked the workspace.
 */
export async function leaveChannels(ctx: InWorkspace & Writing, user_id: string): Promise<void> {
  await removeMember(ctx, user_id, await channelsOf(ctx, user_id));
  ctx.afterCommit((ports) => tellEveryone(ports, ctx.workspace.id, { kind: "left", user_id }));
}
