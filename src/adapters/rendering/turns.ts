import { RendererBusy } from "../../domain/kernel/ports/document-renderer.ts";

/**
 * Limits how much work runs at once. Tenants with waiting work take turns, however much work each has. A tenant has at most
 * half of the slots, so that its long works do not hold up the others.
 */
export type Turns = {
  /** @throws RendererBusy if too much work waits, or if it cannot start in time or before `givenUp` */
  run<T>(tenant: string, givenUp: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /** Refuses the waiting work and all further work. */
  close(): void;
};

export type TurnsOptions = {
  /** Works that run at once. */
  slots: number;
  /** Works that wait, of all tenants and of one. */
  waiting: number;
  waitingOfTenant: number;
  /** Time limit for waiting. */
  patienceMs: number;
};

type Waiting = { start: () => void; refuse: () => void };

export function openTurns({ slots, waiting, waitingOfTenant, patienceMs }: TurnsOptions): Turns {
  /** Waiting work by tenant. The tenant whose turn is next comes first. */
  const lines = new Map<string, Set<Waiting>>();
  const most = Math.max(1, Math.floor(slots / 2));
  /** Running works by tenant. */
  const running = new Map<string, number>();
  let total = 0;
  let count = 0;
  let closed = false;

  function leaveLine(tenant: string, one: Waiting) {
    const line = lines.get(tenant)!;
    line.delete(one);
    count--;
    if (line.size === 0) lines.delete(tenant);
  }

  /** Moves a tenant's waiting work behind that of the other tenants. */
  function moveBehind(tenant: string) {
    const line = lines.get(tenant);
    if (!line) return;
    lines.delete(tenant);
    lines.set(tenant, line);
  }

  function startNext() {
    if (total >= slots) return;
    for (const [tenant, line] of lines) {
      const own = running.get(tenant) ?? 0;
      if (own >= most) continue;
      const [one] = line;
      leaveLine(tenant, one!);
      moveBehind(tenant);
      running.set(tenant, own + 1);
      total++;
      one!.start();
      return;
    }
  }

  function end(tenant: string) {
    const left = running.get(tenant)! - 1;
    if (left > 0) running.set(tenant, left);
    else running.delete(tenant);
    total--;
    // Others may have come after its next work, while this one ran.
    moveBehind(tenant);
    startNext();
  }

  function wait(tenant: string, givenUp: AbortSignal | undefined): Promise<void> {
    const line = lines.get(tenant) ?? new Set();
    if (closed || givenUp?.aborted || count >= waiting || line.size >= waitingOfTenant) {
      return Promise.reject(new RendererBusy());
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        leaveLine(tenant, one);
        one.refuse();
      };
      const timer = setTimeout(leave, patienceMs);
      givenUp?.addEventListener("abort", leave);
      const end = () => {
        clearTimeout(timer);
        givenUp?.removeEventListener("abort", leave);
      };
      const one: Waiting = {
        start() {
          end();
          resolve();
        },
        refuse() {
          end();
          reject(new RendererBusy());
        },
      };
      line.add(one);
      lines.set(tenant, line);
      count++;
      startNext();
    });
  }

  return {
    async run(tenant, givenUp, work) {
      await wait(tenant, givenUp);
      try {
        return await work();
      } finally {
        end(tenant);
      }
    },
    close() {
      closed = true;
      for (const line of lines.values()) for (const one of line) one.refuse();
      lines.clear();
      count = 0;
    },
  };
}
