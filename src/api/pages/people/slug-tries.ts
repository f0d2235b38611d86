import { networkOf } from "../../../domain/addresses.ts";
import { refuse } from "../../../domain/errors.ts";
import type { SignedInCall } from "./site.ts";

/** Somebody who tries many slugs learns which workspaces exist, so tries at slugs that are taken are limited. */

const HOUR = 3_600;
const OF_PERSON_PER_HOUR = 20;
/** Accounts cost a mail each; so one person's accounts are counted by their network, too. */
const OF_NETWORK_PER_HOUR = 60;

/**
 * Takes a try before anything is looked up. `giveBack` returns it when the answer told of no taken slug.
 * @throws Refusal rate_limited
 */
export async function takeSlugTry({ request, ctx, visitor }: SignedInCall): Promise<{ giveBack(): void }> {
  const { rateLimiter } = ctx.ports;
  const limits: [key: string, limit: number][] = [
    [`slugs:person:${visitor.user.id}`, OF_PERSON_PER_HOUR],
    [`slugs:network:${networkOf(request.ip)}`, OF_NETWORK_PER_HOUR],
  ];
  const taken: string[] = [];
  const giveBack = () => {
    for (const key of taken) rateLimiter.giveBack(key, 1);
  };
  for (const [key, limit] of limits) {
    const answer = await rateLimiter.take(key, 1, limit, HOUR);
    if (answer && !answer.allowed) {
      giveBack();
      refuse("rate_limited", {
        message: `You tried many addresses that are taken. Try again in ${Math.ceil(answer.resetSeconds / 60)} minutes.`,
        headers: { "Retry-After": String(answer.resetSeconds) },
      });
    }
    if (answer) taken.push(key);
  }
  return { giveBack };
}
