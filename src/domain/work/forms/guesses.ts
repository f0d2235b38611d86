import type { Ctx } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { countWrong, forgetTries, type Guesser, takeTry } from "./guesses.sql.ts";
import { oneAtATime, withHashingSlot } from "./hashing-queue.ts";
import { isPassword } from "./password.ts";

/**
 * Guessing the password of a form. Wrong tries make their own network wait, longer each time, and nobody else. While many
 * networks guess together, those that never knew the password get one try; whoever knows it needs no second. All of it is
 * counted in rows, so that it holds in every process, and without Redis.
 */

/**
 * Tries a password from somebody's network.
 * @throws Refusal rate_limited, with the seconds to wait; unavailable
 */
export function guess(ctx: Ctx, guesser: Guesser, password: string, passwordHash: string): Promise<boolean> {
  // A connection that is gone has no address, and rows without a network stand for all of them.
  const own = { ...guesser, network: guesser.network || "unknown" };
  // A try is counted once its turn has come: nobody waits for one that was not made.
  return oneAtATime(own.network, async () => {
    const wait = await takeTry(ctx.db, own);
    if (wait !== null) {
      refuse("rate_limited", {
        message: `There were too many wrong passwords from your network. Wait ${inWords(wait)}, then try again.`,
        headers: { "Retry-After": String(wait) },
      });
    }
    const right = await withHashingSlot(() => isPassword(password, passwordHash));
    await (right ? forgetTries(ctx.db, own) : countWrong(ctx.db, own));
    return right;
  });
}

const inWords = (seconds: number) => (seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);
