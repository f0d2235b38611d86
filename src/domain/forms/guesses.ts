import type { Ctx } from "../context.ts";
import { refuse } from "../errors.ts";
import { countWrong, forgetTries, type Guesser, takeTry } from "./guesses.sql.ts";
import { isPassword } from "./password.ts";

/**
 * Guessing the password of a form. Wrong tries make their own network wait, longer each time, and nobody else. While many
 * networks guess together, those that never knew the password get one try; whoever knows it needs no second. All of it is
 * counted in rows, so that it holds in every process, and without Redis.
 */

/** Hashes under way in this process: each keeps a thread busy for some 150 ms, and there are four. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 100;

/**
 * Tries a password from somebody's network.
 * @throws Refusal rate_limited, with the seconds to wait; unavailable
 */
export async function guess(ctx: Ctx, guesser: Guesser, password: string, passwordHash: string): Promise<boolean> {
  // Before the try is counted: nobody waits for one that was not made.
  if (waiting.length >= MOST_WAITING) {
    refuse("unavailable", {
      message: "Many people try passwords right now. Wait ten seconds, then try again.",
      headers: { "Retry-After": "10" },
    });
  }
  // A connection that is gone has no address, and rows without a network stand for all of them.
  const own = { ...guesser, network: guesser.network || "unknown" };
  const wait = await takeTry(ctx.db, own);
  if (wait !== null) {
    refuse("rate_limited", {
      message: `There were too many wrong passwords from your network. Wait ${inWords(wait)}, then try again.`,
      headers: { "Retry-After": String(wait) },
    });
  }
  const right = await inTurn(() => isPassword(password, passwordHash));
  await (right ? forgetTries(ctx.db, own) : countWrong(ctx.db, own));
  return right;
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) {
    await new Promise<void>((start) => waiting.push(start));
  } else running++;
  try {
    return await work();
  } finally {
    // Whoever waits takes over the place.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const inWords = (seconds: number) => (seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);
