import { networkOf, wideNetworkOf } from "./addresses.ts";
import type { RateLimiter, Taken } from "./ports/ports.ts";

/** How much more an IPv6 /48 may do than a /64 in it. It may belong to one customer, or to a town. */
const WIDE_FACTOR = 10;

/** How many units may be taken of a key in a window. */
export type Limit = { key: string; limit: number };

/**
 * Returns the limits of unauthenticated clients in the network of an address. An IPv4 address may do it `limit` times
 * in a window, and so may an IPv6 /64; all networks of the same /48 together may do it ten times as often, because a
 * /48 with its 65,536 networks is easy to get.
 * @param name what is limited
 */
export function limitsOfNetwork(name: string, address: string, limit: number): Limit[] {
  const [narrow, wide] = [networkOf(address), wideNetworkOf(address)];
  const first = { key: `${name}:${narrow}`, limit };
  return narrow === wide ? [first] : [first, { key: `${name}:${wide}`, limit: WIDE_FACTOR * limit }];
}

/** What was taken; null when the store is away. `giveBack` returns the units. */
export type TakenOfAll = { taken: Taken | null; giveBack(): void };

/** Takes one unit of each limit, or none of any if one is used up: then `taken` is the answer of that one. */
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

/** Takes one request of what strangers in the network of an address may do. @returns null when the store is away */
export async function takeFromNetwork(
  rateLimiter: RateLimiter,
  name: string,
  address: string,
  limit: number,
  windowSeconds?: number,
): Promise<Taken | null> {
  return (await takeOfAll(rateLimiter, limitsOfNetwork(name, address, limit), windowSeconds)).taken;
}
