import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { lockChannelsOf, removeMember } from "./channels.sql.ts";

/**
 * Removes a user who leaves the workspace from all channels. Their messages stay. The caller has locked the workspace.
 */
export async function leaveChannels(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  await removeMember(ctx, userId, await lockChannelsOf(ctx, userId));
}
