import type { z } from "zod";
import { foundIn } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { isAdmin } from "../../kernel/roles.ts";
import { userInPath } from "../../tenancy/workspaces/in-path.ts";
import { membersAmong } from "../../tenancy/workspaces/members.sql.ts";
import type { WatcherView } from "../../work/watchers/view.ts";
import type { WatcherDeleted } from "../../work/watchers/watchers.ts";
import { lockWithoutBodies } from "./docs.ts";
import { audienceOf, type DocRow } from "./view.ts";
import { addWatchers, listWatchers, stopWatching } from "./watchers.sql.ts";

/** Watchers of a doc: its author, those who comment or are mentioned in comments, and others who want to. */

export const list = (ctx: InWorkspace, { id }: DocRow): Promise<WatcherView[]> => listWatchers(ctx, id);

/** Returns a watcher. */
export async function read(ctx: InWorkspace, text: string, doc: DocRow): Promise<Found<WatcherView> | null> {
  const userId = await userInPath(ctx, text);
  const [watcher] = userId ? await listWatchers(ctx, doc.id, userId) : [];
  return watcher ? foundIn(doc, watcher, audienceOf(doc)) : null;
}

/** Adds the caller as a watcher of a locked doc. A caller who already watches stays as they are. */
export async function watch(ctx: InWorkspace & Writing, { id }: DocRow): Promise<WatcherView> {
  const me = ctx.principal.user_id;
  await addWatchers(ctx, id, [me], { restart: true });
  const [watcher] = await listWatchers(ctx, id, me);
  return watcher!;
}

/**
 * Locks the doc and returns the id of the user whom a path names by id, e-mail address or `me`. Only admins may name others.
 * @throws Refusal insufficient_role
 */
export async function byUser(ctx: InWorkspace & Writing, text: string, { id }: DocRow): Promise<Found<string> | null> {
  const doc = await lockWithoutBodies(ctx, id);
  if (!doc) return null;
  const userId = await userInPath(ctx, text);
  if (userId !== ctx.principal.user_id) {
    const { role } = ctx.principal;
    if (!isAdmin(role)) {
      refuse("insufficient_role", { message: "Only admins can remove other watchers.", role, required_role: "admin" });
    }
    if (!userId || (await membersAmong(ctx.db, ctx.workspace.id, [userId])).length === 0) return null;
  }
  return { ...doc, object: userId };
}

/** Removes a watcher of a locked doc. Comments of theirs do not make them watch it again. */
export async function unwatch(
  ctx: InWorkspace & Writing,
  { id }: DocRow,
  userId: string,
): Promise<z.output<typeof WatcherDeleted>> {
  await stopWatching(ctx, id, userId);
  return { user_id: userId, deleted: true };
}
