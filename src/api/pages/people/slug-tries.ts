import { minutesInWords } from "../../../domain/kernel/counted.ts";
import { refuse } from "../../../domain/kernel/errors.ts";
import { limitsOfNetwork, takeOfAll } from "../../../domain/kernel/network-limit.ts";
import type { SignedInCall } from "../site/site.ts";

/** Limits attempts to use taken slugs, which would reveal which workspaces exist. */

const HOUR = 3_600;
const OF_PERSON_PER_HOUR = 20;
/** Creating an account takes only a mail, so a network's accounts are also counted together. */
const OF_NETWORK_PER_HOUR = 60;

/**
 * Takes an attempt before the slug is looked up. `giveBack` returns it if the reply revealed no taken slug.
 * @throws Refusal rate_limited
 */
export async function takeSlugTry({ request, ctx, visitor }: SignedInCall): Promise<{ giveBack(): void }> {
  const ofPerson = { key: `slugs:person:${visitor.user.id}`, limit: OF_PERSON_PER_HOUR };
  const limits = [ofPerson, ...limitsOfNetwork("slugs:network", request.ip, OF_NETWORK_PER_HOUR)];
  const { taken, giveBack } = await takeOfAll(ctx.ports.rateLimiter, limits, HOUR);
  if (taken && !taken.allowed) {
    refuse("rate_limited", {
      message: `You tried too many addresses that are taken. Try again in ${minutesInWords(taken.resetSeconds)}.`,
      headers: { "Retry-After": String(taken.resetSeconds) },
    });
  }
  return { giveBack };
}
