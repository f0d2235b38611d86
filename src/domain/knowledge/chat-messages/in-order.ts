import type { Delta, Heard } from "./live.ts";

/** The parts of a message after one part and up to another, as far as they are stored. */
export type ReadParts = (messageId: string, after: number, upTo: number) => Promise<{ seq: number; delta: string }[]>;

/** Streamed messages of which the last part is remembered. */
const REMEMBERED = 1_000;

/**
 * Puts what a reader hears in order. Each part of a streamed message comes once, and none comes before an earlier one.
 * Parts that were lost on the way, or that another process has not sent yet, are read from the rows. If they are no longer
 * there, the message is complete, and the event that says so contains its whole text.
 * @returns takes what was heard
 */
export function inOrder(readParts: ReadParts, emit: (heard: Heard) => void): (heard: Heard) => void {
  const last = new Map<string, number>();
  let before: Promise<void> = Promise.resolve();

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

  return (heard) => {
    before = before.then(() => (heard.kind === "delta" ? next(heard) : emit(heard))).catch(() => {});
  };
}
