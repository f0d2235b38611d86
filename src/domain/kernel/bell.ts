/** Wakes the waiter. If nobody waits, the next wait ends at once; several calls count as one. */
export type Bell = {
  ring(): void;
  /** Resolves when the bell rings or has rung since the last wait, or after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
};

export function openBell(): Bell {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async wait(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, ms);
        await promise;
        clearTimeout(timer);
      }
      rung = false;
    },
  };
}
