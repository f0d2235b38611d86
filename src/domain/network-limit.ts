import { networkOf, wideNetworkOf } from "./addresses.ts";
import type { RateLimiter, Taken } from "./ports.ts";

/** How much more an IPv6 /48 may do than a /64 in it. It may belong to one customer, or to a town. */
const WIDE_FACTOR = 10;

/**
 * Takes one request of what strangers in the network of an address may do. An IPv4 address may do it `limit` times in a
 * window, and so may an IPv6 /64; all networks of the same /48 together may do it ten times as often, because anybody can
 * get a /48, and with it 65,536 networks.
 * @param name what is limited
 * @returns null when the store is away
 */
export async function takeFromNetwork(
  rateLimiter: RateLimiter,
  name: string,
  address: string,
  limit: number,
  windowSeconds?: number,
): Promise<Taken | null> {
  const [narrow, wide] = [networkOf(address), wideNetworkOf(address)].map((network) => `${name}:${network}`);
  const taken = await rateLimiter.take(narrow!, 1, limit, windowSeconds);
  if (narrow === wide || !taken?.allowed) return taken;
  const together = await rateLimiter.take(wide!, 1, WIDE_FACTOR * limit, windowSeconds);
  if (!together || together.allowed) return taken;
  rateLimiter.giveBack(narrow!, 1);
  return together;
}
