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

/** Listens to changes that may concern a user. Returns what ends it. */
export const listenToAccess = (
  ports: Pick<Ports, "subscribe">,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { changed, listening }: { changed(): void; listening(): void },
): (() => void) =>
  ports.subscribe(topicOf(workspaceId), (named) => (named === "" || named === userId) && changed(), {
    listening,
    interrupted: changed,
  });
