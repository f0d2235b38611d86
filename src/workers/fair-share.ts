import { setTimeout as sleep } from "node:timers/promises";

/** The slots that one process has for a queue's jobs, shared among workspaces. */
export type FairShare = {
  /**
   * Takes a slot for a workspace and returns a function that releases it; null if the workspace has as many as are
   * free.
   */
  enter(workspaceId: string): (() => void) | null;
  /** As `enter`, but waits a little until the workspace releases a slot. */
  enterSoon(workspaceId: string): Promise<(() => void) | null>;
  /**
   * Whether other workspaces need slots of this one: all slots are taken, or it could not take a slot again after
   * releasing it.
   */
  crowded(workspaceId: string): boolean;
};

/** Most jobs end within that time. Putting a job off instead costs several round trips to Redis. */
const SOON_MS = 25;
const STEP_MS = 5;

/**
 * A workspace that is alone gets half of the slots; n workspaces that want many get 1/(n+1) each. There is always room
 * for one more, so slow jobs of one workspace cannot delay the others. A first slot is never refused.
 */
export function openFairShare(slots: number): FairShare {
  const held = new Map<string, number>();
  let taken = 0;
  const heldBy = (workspaceId: string) => held.get(workspaceId) ?? 0;

  function enter(workspaceId: string) {
    const own = heldBy(workspaceId);
    if (own > 0 && own >= slots - taken) return null;
    held.set(workspaceId, own + 1);
    taken++;
    return () => {
      const left = heldBy(workspaceId) - 1;
      if (left === 0) held.delete(workspaceId);
      else held.set(workspaceId, left);
      taken--;
    };
  }

  return {
    enter,
    async enterSoon(workspaceId) {
      let leave = enter(workspaceId);
      for (let waited = 0; leave === null && waited < SOON_MS; waited += STEP_MS) {
        await sleep(STEP_MS);
        leave = enter(workspaceId);
      }
      return leave;
    },
    crowded(workspaceId) {
      const free = slots - taken;
      const others = heldBy(workspaceId) - 1;
      return free <= 0 || (others > 0 && others > free);
    },
  };
}
