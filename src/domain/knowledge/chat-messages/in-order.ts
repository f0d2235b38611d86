import type { Delta, Heard } from "./live.ts";

/** The parts of a message after one part and up to another, as far as they are stored. */
export type ReadParts = (messageId: string, after: number, upTo: number) => Promise<{ seq: number; delta: string }[]>;

/** Streamed messages of which the last part is remembered. */
const REMEMBERED = 1_000;
/** What may wait for a read from the database. */
const MAX_WAITING = 1_000;

/**
 * Puts what a reader hears in order. Each part of a streamed message comes once, and none comes before an earlier one.
 * Parts that were lost on the way, or that another process has not sent yet, are read from the rows. If they are no longer
 * there, the message is complete, and the event that says so contains its whole text.
 * @param fail called when the rows cannot be read, or not soon enough. Nothing is emitted afterwards.
 */
export function inOrder(readParts: ReadParts, emit: (heard: Heard) => void, fail: (error: unknown) => void) {
  const last = new Map<string, number>();
  let before: Promise<void> = Promise.resolve();
  let waiting = 0;
  let failed = false;

  async function next(delta: Delta): Promise<void> {
    const { message_id: id, seq } = delta;
    const known = last.get(id);
    if (known !== undefined && seq <= known) return;
    if (known !== undefined && seq > known + 1) {
      for (const part of await readParts(id, known, seq - 1)) emit({ ...delta, ...part, done: false });
    }
    last.delete(id);
    last.set(id, seq);
    if (last.size > REMEMBERED) last.delete(last.keys().next().value!);
    emit(delta);
  }

  function stop(error: unknown): void {
    if (!failed) fail(error);
    failed = true;
  }

  /** Does work after all that was heard before, and before all that is heard later. */
  function then(work: () => Promise<void> | void): void {
    if (waiting >= MAX_WAITING) stop(new Error("The database did not reply in time."));
    if (failed) return;
    waiting++;
    before = before
      .then(() => (failed ? undefined : work()))
      .catch(stop)
      .finally(() => {
        waiting--;
      });
  }

  return { then, hear: (heard: Heard) => then(() => (heard.kind === "delta" ? next(heard) : emit(heard))) };
}
