import type { Ports } from "../../kernel/ports/ports.ts";

/**
 * Tells open streams that somebody's rights may have become smaller, so that they check them at once. The message may be
 * lost, so streams also check from time to time.
 */

const topicOf = (workspaceId: string): string => `access:${workspaceId}`;

/** @param userId the person or agent; null: anybody in the workspace */
export function accessChanged(
  ctx: { afterCommit(work: (ports: Pick<Ports, "publish">) => void): void },
  workspaceId: string,
  userId: string | null,
): void {
  ctx.afterCommit((ports) => ports.publish(topicOf(workspaceId), userId ?? ""));
}

/**
 * Listens to changes in a workspace. Returns what ends it.
 * @param about.changed gets the user whom a change concerns; null: it may concern anybody
 */
export const listenToAccess = (
  ports: Pick<Ports, "subscribe">,
  workspaceId: string,
  { changed, listening }: { changed(userId: string | null): void; listening(): void },
): (() => void) =>
  ports.subscribe(topicOf(workspaceId), (named) => changed(named || null), {
    listening,
    interrupted: () => changed(null),
  });
