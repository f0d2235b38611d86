import ipaddr from "ipaddr.js";

/**
 * Returns the network of an IP address, for limits: an IPv4 address itself, or the first 64 bits of an IPv6 address,
 * which is the least that a customer gets. Other text is returned unchanged.
 */
export const networkOf = (address: string): string => network(address, 64);

/**
 * The same for limits on guessing: the first 48 bits of an IPv6 address. Such a network is easy to get, and contains
 * 65,536 networks of 64 bits.
 */
export const wideNetworkOf = (address: string): string => network(address, 48);

/**
 * The part of an address that a person may be shown: 24 bits of IPv4 ("203.0.113.x"), 48 of IPv6. Other text is returned
 * unchanged.
 */
export const shownNetworkOf = (address: string): string =>
  network(address, 48).replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.x");

function network(address: string, bits: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address); // ::ffff:a.b.c.d is a.b.c.d
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  const parts = ip.parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${parts.join(":")}::/${bits}`;
}
