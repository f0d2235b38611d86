import type { Ctx } from "../../kernel/context.ts";
import { waitInWords } from "../../kernel/counted.ts";
import { refuse } from "../../kernel/errors.ts";
import { countAttempt, countWrongAttempt, type Guesser, resetAttempts } from "./guesses.sql.ts";
import { oneAtATime, withHashingSlot } from "./hashing-queue.ts";
import { isPassword } from "./password.ts";

/**
 * Limits guesses of a form's password. Wrong attempts make only their own network wait, longer each time. While many
 * networks guess at once, networks that never knew the password get one attempt. People who know the password need no
 * second one. Attempts are counted in rows, so the limits hold across processes and without Redis.
 */

/**
 * Checks a password that was sent from a network.
 * @throws Refusal rate_limited, with the seconds to wait; unavailable
 */
export function guess(ctx: Ctx, guesser: Guesser, password: string, passwordHash: string): Promise<boolean> {
  // A closed connection has no address. It must not be stored without a network, because that row stands for all
  // networks.
  const own = { ...guesser, network: guesser.network || "unknown" };
  // An attempt is counted when it starts, so that nobody waits for an attempt that was not made.
  return oneAtATime(own.network, async () => {
    const wait = await countAttempt(ctx.db, own);
    if (wait !== null) {
      refuse("rate_limited", {
        message: `Too many wrong passwords from your network. Wait ${waitInWords(wait)}, then try again.`,
        headers: { "Retry-After": String(wait) },
      });
    }
    const right = await withHashingSlot(() => isPassword(password, passwordHash));
    await (right ? resetAttempts(ctx.db, own) : countWrongAttempt(ctx.db, own));
    return right;
  });
}
