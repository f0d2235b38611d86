import { refuse } from "../../../domain/kernel/errors.ts";
import { limitsOfNetwork, takeOfAll } from "../../../domain/kernel/network-limit.ts";
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
  const ofPerson = { key: `slugs:person:${visitor.user.id}`, limit: OF_PERSON_PER_HOUR };
  const limits = [ofPerson, ...limitsOfNetwork("slugs:network", request.ip, OF_NETWORK_PER_HOUR)];
  const { taken, giveBack } = await takeOfAll(ctx.ports.rateLimiter, limits, HOUR);
  if (taken && !taken.allowed) {
    refuse("rate_limited", {
      message: `You tried many addresses that are taken. Try again in ${Math.ceil(taken.resetSeconds / 60)} minutes.`,
      headers: { "Retry-After": String(taken.resetSeconds) },
    });
  }
  return { giveBack };
}
