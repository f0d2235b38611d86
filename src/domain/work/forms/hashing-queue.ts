import { atATime } from "../../kernel/at-a-time.ts";
import { refuse } from "../../kernel/errors.ts";

/** Limits how many form passwords one process hashes at a time. */

/** Hashes in progress. Each occupies one of four threads for about 150 ms. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 100;
/** Maximum number of waiting attempts of one network, for all forms, so that other networks find room. */
const MAX_PER_NETWORK = 25;

type Line = { length: number; last: Promise<unknown> };
const lines = new Map<string, Line>();

/**
 * Runs the attempts of one network one after the other. So an attempt in progress is not counted as wrong when the next
 * one begins: many people behind one address may know the password.
 * @throws Refusal unavailable
 */
export async function oneAtATime<T>(network: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(network) ?? { length: 0, last: Promise.resolve() };
  if (line.length >= MAX_PER_NETWORK || waiting >= MAX_WAITING) {
    refuse("unavailable", {
      message: "Too many passwords are being checked right now. Wait ten seconds, then try again.",
      headers: { "Retry-After": "10" },
    });
  }
  lines.set(network, line);
  line.length++;
  const mine = line.last.then(work);
  line.last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    if (--line.length === 0) lines.delete(network);
  }
}

let waiting = 0;
const limit = atATime(MAX_CONCURRENT);

/** Runs work that occupies a thread, as soon as a slot is free. */
export function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  waiting++;
  return limit(() => {
    waiting--;
    return work();
  });
}
