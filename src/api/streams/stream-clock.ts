/** One timer for all streams of a process, because thousands of streams are open and each would need several. */

/** How often each stream's turn comes. Clients and proxies take a connection for dead that is silent for longer. */
export const TURN_MS = 15_000;
/** The streams are spread over slots, so that their turns do not come together. */
const SLOTS = 60;
/** Streams that are closed at a time when the process stops, so that other calls are served in between. */
const CLOSED_AT_ONCE = 200;

export interface Ticking {
  /** Called every TURN_MS. @param now milliseconds */
  turn(now: number): void;
  /** Called when the process is about to stop. */
  close(): void;
}

export class StreamClock {
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<Ticking>());
  #now = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stopping: AbortSignal) {
    stopping.addEventListener("abort", () => this.#closeAll(), { once: true });
  }

  /** Adds a stream, whose first turn comes after TURN_MS. Returns its slot. */
  add(stream: Ticking): number {
    this.#slots[this.#now]!.add(stream);
    this.#size++;
    this.#timer ??= setInterval(() => this.#next(), TURN_MS / SLOTS).unref();
    return this.#now;
  }

  remove(stream: Ticking, slot: number): void {
    if (!this.#slots[slot]!.delete(stream)) return;
    if (--this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#now = (this.#now + 1) % SLOTS;
    const now = Date.now();
    for (const stream of this.#slots[this.#now]!) stream.turn(now);
  }

  #closeAll(): void {
    const open = this.#slots.flatMap((slot) => [...slot]);
    const next = () => {
      for (const stream of open.splice(0, CLOSED_AT_ONCE)) stream.close();
      if (open.length > 0) setImmediate(next);
    };
    next();
  }
}

const clocks = new WeakMap<AbortSignal, StreamClock>();

/** The clock of the process that `stopping` belongs to. */
export function clockOf(stopping: AbortSignal): StreamClock {
  let clock = clocks.get(stopping);
  if (!clock) {
    clock = new StreamClock(stopping);
    clocks.set(stopping, clock);
  }
  return clock;
}
