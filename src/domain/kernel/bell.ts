/** Wakes one waiter. Several calls without a waiter count once. */
export type Bell = {
  ring(): void;
  /** Resolves at a ring, also one since the last wait, or after `ms`. */
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
