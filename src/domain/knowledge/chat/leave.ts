import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { removeMember } from "./channels.sql.ts";
import { channelsOf } from "./members.sql.ts";

/**
 * Removes a user who leaves the workspace from all channels. Their messages stay. The caller has locked the workspace.
 */
export async function leaveChannels(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  await removeMember(ctx, userId, await channelsOf(ctx, userId));
}
