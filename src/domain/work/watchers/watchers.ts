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

/** Reporters, assignees, commenters and those who are mentioned watch by themselves; others do as they like. */

export const WatcherDeleted = part(aboutWatcherDeleted, { user_id: id, deleted: z.literal(true) });

export const list = (ctx: InIssue): Promise<WatcherView[]> => listWatchers(ctx);

/** Somebody's watching as it is shown. */
export async function read(ctx: InIssue, text: string): Promise<WatcherView | null> {
  const userId = await userInPath(ctx, text);
  const [watcher] = userId ? await listWatchers(ctx, userId) : [];
  return watcher ?? null;
}

/** Makes the caller watch; who does already stays as they are. */
export async function watch(ctx: InIssue & Writing): Promise<WatcherView> {
  // The issue first, as everywhere: a comment makes its author watch while it holds the issue.
  await lockLive(ctx);
  await addWatchers(ctx, ctx.issue.id, [ctx.principal.user_id]);
  const [watcher] = await listWatchers(ctx, ctx.principal.user_id);
  return watcher as WatcherView;
}

/** Whom a path names by id, e-mail or `me`. */
export async function byUser(ctx: InIssue & Writing, text: string): Promise<string | null> {
  const userId = await userInPath(ctx, text);
  return userId && (await isKnown(ctx, userId)) ? userId : null;
}

/** Ends somebody's watching; that of others is for admins. @throws Refusal insufficient_role */
export async function unwatch(ctx: InIssue & Writing, userId: string): Promise<z.output<typeof WatcherDeleted>> {
  const { user_id: own, role } = ctx.principal;
  if (userId !== own && !isAdmin(role)) {
    refuse("insufficient_role", { message: "Only admins end others' watching.", role, required_role: "admin" });
  }
  await lockLive(ctx);
  await deleteWatcher(ctx, userId);
  return { user_id: userId, deleted: true };
}
