/** The places that one process has for a queue's jobs, shared among workspaces. */
export type FairShare = {
  /**
   * Takes a place for a workspace and answers how to give it back; null when the workspace holds as many as are free.
   */
  enter(workspaceId: string): (() => void) | null;
  /** Whether others need places that a workspace holds: all are taken, or one that it gave back it would not get again. */
  crowded(workspaceId: string): boolean;
};

/**
 * Whoever is alone gets half of the places, n that want many get 1/(n+1) each: there is always room for one more, so
 * that nobody's slow receivers can hold up the rest. A first place is never refused.
 */
export function openFairShare(places: number): FairShare {
  const held = new Map<string, number>();
  let taken = 0;
  const heldBy = (workspaceId: string) => held.get(workspaceId) ?? 0;
  return {
    enter(workspaceId) {
      const own = heldBy(workspaceId);
      if (own > 0 && own >= places - taken) return null;
      held.set(workspaceId, own + 1);
      taken++;
      return () => {
        const left = heldBy(workspaceId) - 1;
        if (left === 0) held.delete(workspaceId);
        else held.set(workspaceId, left);
        taken--;
      };
    },
    crowded(workspaceId) {
      const free = places - taken;
      const others = heldBy(workspaceId) - 1;
      return free <= 0 || (others > 0 && others > free);
    },
  };
}
