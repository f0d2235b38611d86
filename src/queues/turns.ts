/** The order of a queue's jobs, by which workspaces take turns, however many jobs each of them has. */
export type Turns = {
  /** Returns the priority of a workspace's next job: lower ones run first. Null stands for a job of no workspace. */
  next(workspaceId: string | null, cost: number): number;
  /** Call this when a job of this priority begins. */
  began(priority: number): void;
  /** Call this when no job is waiting. */
  drained(): void;
};

/** BullMQ takes priorities up to 2^21. */
const MOST = 2_097_151;
/** From here on, the count begins again as soon as no job is waiting. */
const RESTART = 1_000_000;
const MOST_REMEMBERED = 10_000;
/** A process that does not serve the queue never learns the virtual time, so it forgets what it added after this time. */
const REMEMBERED_MS = 10_000;

/**
 * Start-time fair queueing: a job starts at the present virtual time, or where the previous job of its workspace ends if
 * that is later. The virtual time is the start of the job that began last. So the hundredth waiting job of one workspace
 * comes after the first of any other.
 *
 * It is kept in memory: each process that adds jobs also runs them, and learns the virtual time from these. With several
 * processes a workspace gets at most as many turns at a time as there are processes.
 */
export function openTurns(): Turns {
  let time = 0;
  let isServed = false;
  let forgotAt = performance.now();
  const ends = new Map<string, number>();

  function forget(): void {
    const isTime = !isServed && performance.now() - forgotAt > REMEMBERED_MS;
    if (!isTime && ends.size < MOST_REMEMBERED) return;
    for (const [workspaceId, end] of ends) if (isTime || end <= time) ends.delete(workspaceId);
    forgotAt = performance.now();
  }

  return {
    next(workspaceId, cost) {
      if (workspaceId === null) return time;
      forget();
      const start = Math.min(Math.max(time, ends.get(workspaceId) ?? 0), MOST);
      ends.set(workspaceId, start + cost);
      return start;
    },
    began(priority) {
      isServed = true;
      time = Math.max(time, priority);
    },
    drained() {
      isServed = true;
      ends.clear();
      if (time >= RESTART) time = 0;
    },
  };
}
