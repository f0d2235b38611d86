import { networkOf, wideNetworkOf } from "./addresses.ts";
import type { RateLimiter, Taken } from "./ports/ports.ts";

/** Factor between the limits of an IPv6 /48 and of a /64 in it. A /48 may belong to one customer or to a whole town. */
const WIDE_FACTOR = 10;

/** The number of units of a key in a window. */
export type Limit = { key: string; limit: number };

/**
 * Returns the limits of unauthenticated clients in the network of an address. An IPv4 address and an IPv6 /64 get `limit`
 * units in a window. All networks of the same /48 together get ten times as many, because a /48 with its 65,536
 * networks is easy to get.
 * @param name names the limited action
 */
export function limitsOfNetwork(name: string, address: string, limit: number): Limit[] {
  const [narrow, wide] = [networkOf(address), wideNetworkOf(address)];
  const first = { key: `${name}:${narrow}`, limit };
  return narrow === wide ? [first] : [first, { key: `${name}:${wide}`, limit: WIDE_FACTOR * limit }];
}

/** The taken units; null if the store is unavailable. `giveBack` returns them. */
export type TakenOfAll = { taken: Taken | null; giveBack(): void };

/** Takes one unit of each limit. If a limit is reached, it takes none, and `taken` is the reply for that limit. */
export async function takeOfAll(
  rateLimiter: RateLimiter,
  limits: readonly Limit[],
  windowSeconds?: number,
): Promise<TakenOfAll> {
  const counted: string[] = [];
  let first: Taken | null = null;
  const giveBack = () => {
    for (const key of counted.splice(0)) rateLimiter.giveBack(key, 1);
  };
  for (const { key, limit } of limits) {
    const taken = await rateLimiter.take(key, 1, limit, windowSeconds);
    if (taken && !taken.allowed) {
      giveBack();
      return { taken, giveBack };
    }
    if (taken) counted.push(key);
    first ??= taken;
  }
  return { taken: first, giveBack };
}

/** Takes one request from the limits of an address's network. @returns null if the store is unavailable */
export async function takeFromNetwork(
  rateLimiter: RateLimiter,
  name: string,
  address: string,
  limit: number,
  windowSeconds?: number,
): Promise<Taken | null> {
  return (await takeOfAll(rateLimiter, limitsOfNetwork(name, address, limit), windowSeconds)).taken;
}
