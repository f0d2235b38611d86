/** The places that one process has for a queue's jobs, shared among workspaces. */
export type Shares = {
  /**
   * Takes a place for a workspace and answers how to give it back; null when the workspace holds as many as are free.
   */
  enter(workspaceId: string): (() => void) | null;
};

/**
 * Whoever is alone gets half of the places, n that want many get 1/(n+1) each: there is always room for one more, so
 * that nobody's slow receivers can hold up the rest. A first place is never refused.
 */
export function openShares(places: number): Shares {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    enter(workspaceId) {
      const own = held.get(workspaceId) ?? 0;
      if (own > 0 && own >= places - taken) return null;
      held.set(workspaceId, own + 1);
      taken++;
      return () => {
        const left = held.get(workspaceId)! - 1;
        if (left === 0) held.delete(workspaceId);
        else held.set(workspaceId, left);
        taken--;
      };
    },
  };
}
