import { listenToAccess } from "../../domain/access/identity/access-changed.ts";
import type { InWorkspace } from "../../domain/kernel/context.ts";

/** How often a stream checks its caller's rights although nobody said that they changed. */
const CHECK_MS = 60_000;

/**
 * Has a stream's caller checked at once when their rights change, and about once a minute in case the message about it
 * was lost or a key expired.
 * @param listening called once changes from then on will be heard
 * @returns what ends it
 */
export function watchAccess(
  { ports, workspace, principal }: InWorkspace,
  check: () => void,
  listening: () => void,
): () => void {
  const who = { workspaceId: workspace.id, userId: principal.user_id };
  const stopListening = listenToAccess(ports, who, { changed: check, listening });
  // Streams that began together, after a restart, do not check together.
  const checking = setInterval(check, CHECK_MS * (0.75 + Math.random() / 2));
  return () => {
    stopListening();
    clearInterval(checking);
  };
}
