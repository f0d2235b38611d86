import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { part } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { id } from "../../kernel/wire.ts";
import { userInPath } from "../../tenancy/workspaces/in-path.ts";
import { watch as addWatchers } from "../issues/change.sql.ts";
import { lockLive } from "../issues/lock-live.ts";
import { aboutWatcherDeleted } from "./descriptions.ts";
import type { WatcherView } from "./view.ts";
import { deleteWatcher, isKnown, listWatchers } from "./watchers.sql.ts";

/** Watchers of an issue. Reporters, assignees, commenters and mentioned users watch automatically. Others may watch. */

export const WatcherDeleted = part(aboutWatcherDeleted, { user_id: id, deleted: z.literal(true) });

export const list = (ctx: InIssue): Promise<WatcherView[]> => listWatchers(ctx);

/** Returns a watcher. */
export async function read(ctx: InIssue, text: string): Promise<WatcherView | null> {
  const userId = await userInPath(ctx, text);
  const [watcher] = userId ? await listWatchers(ctx, userId) : [];
  return watcher ?? null;
}

/** Adds the caller as a watcher. A caller who already watches stays as they are. */
export async function watch(ctx: InIssue & Writing): Promise<WatcherView> {
  // The issue is locked first, as in all other calls: a comment adds its author as a watcher while it locks the issue.
  await lockLive(ctx);
  await addWatchers(ctx, ctx.issue.id, [ctx.principal.user_id]);
  const [watcher] = await listWatchers(ctx, ctx.principal.user_id);
  return watcher as WatcherView;
}

/**
 * Returns the id of the user whom a path names by id, e-mail address or `me`. Only admins may name others: for anyone
 * else the reply must not tell who is a member.
 * @throws Refusal insufficient_role
 */
export async function byUser(ctx: InIssue & Writing, text: string): Promise<string | null> {
  const { user_id: own, role } = ctx.principal;
  const userId = await userInPath(ctx, text);
  if (userId === own) return own;
  if (!isAdmin(role)) {
    refuse("insufficient_role", { message: "Only admins can remove other watchers.", role, required_role: "admin" });
  }
  return userId && (await isKnown(ctx, userId)) ? userId : null;
}

/** Removes a watcher. */
export async function unwatch(ctx: InIssue & Writing, userId: string): Promise<z.output<typeof WatcherDeleted>> {
  await lockLive(ctx);
  await deleteWatcher(ctx, userId);
  return { user_id: userId, deleted: true };
}
