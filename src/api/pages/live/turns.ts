/**
 * Whose turn it is to load a page again. A page takes a hundred times as long to make as the word that it has changed: if
 * a thousand people who look at a board heard of a change in the same second, nobody would be served for half a minute.
 * So the first hear at once, and the others in turn.
 */

/** How many may hear at once, after a while of silence, and then in each step. */
const AT_ONCE = 40;
const EACH_STEP = 10;
const STEP_MS = 250;

export interface Waiting {
  yourTurn(): void;
}

export class Turns {
  readonly #waiting = new Set<Waiting>();
  #left = AT_ONCE;
  #timer: NodeJS.Timeout | undefined;

  /** One who waits already waits no longer. */
  take(one: Waiting): void {
    this.#waiting.add(one);
    this.#serve();
    this.#timer ??= setInterval(() => this.#step(), STEP_MS).unref();
  }

  leave(one: Waiting): void {
    this.#waiting.delete(one);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#waiting.clear();
  }

  #step(): void {
    this.#left = Math.min(AT_ONCE, this.#left + EACH_STEP);
    this.#serve();
    if (this.#left < AT_ONCE) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #serve(): void {
    for (const one of this.#waiting) {
      if (this.#left === 0) return;
      this.#waiting.delete(one);
      this.#left--;
      one.yourTurn();
    }
  }
}
