import { RendererBusy } from "../../domain/kernel/ports/document-renderer.ts";

/** Limits how much work runs at once. Tenants with waiting work take turns, however much work each has. */
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
  let running = 0;
  let count = 0;
  let closed = false;

  function leaveLine(tenant: string, one: Waiting) {
    const line = lines.get(tenant)!;
    line.delete(one);
    count--;
    if (line.size === 0) lines.delete(tenant);
  }

  function startNext() {
    const [tenant, line] = lines.entries().next().value ?? [];
    if (running >= slots || tenant === undefined) return;
    const [one] = line!;
    leaveLine(tenant, one!);
    // Behind the other tenants.
    if (line!.size > 0) {
      lines.delete(tenant);
      lines.set(tenant, line!);
    }
    running++;
    one!.start();
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
        running--;
        startNext();
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
