import { refuse } from "../../kernel/errors.ts";

/** The order in which one process hashes the passwords that people try. */

/** Hashes under way: each keeps a thread busy for some 150 ms, and there are four. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 100;
/** Tries of one network, for all forms, that wait for each other. The other places are for the other networks. */
const MAX_PER_NETWORK = 25;

type Line = { length: number; last: Promise<unknown> };
const lines = new Map<string, Line>();

/**
 * Tries of one network run one after the other, so that one under way is not counted as wrong when the next one begins:
 * many people behind one address may know the password.
 * @throws Refusal unavailable
 */
export async function oneAtATime<T>(network: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(network) ?? { length: 0, last: Promise.resolve() };
  if (line.length >= MAX_PER_NETWORK || waiting.length >= MAX_WAITING) {
    refuse("unavailable", {
      message: "Many people try passwords right now. Wait ten seconds, then try again.",
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

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work that keeps a thread busy, as soon as there is room for it. */
export async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) {
    await new Promise<void>((start) => waiting.push(start));
  } else running++;
  try {
    return await work();
  } finally {
    // The next in line takes over this one's room.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
