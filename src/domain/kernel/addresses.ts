import ipaddr from "ipaddr.js";

/**
 * Whose an IP address is, for limits: an IPv4 address by itself, an IPv6 address by its first 64 bits, which is the
 * least that a single customer has at their disposal. What does not parse stays as it is.
 */
export const networkOf = (address: string): string => network(address, 64);

/**
 * The same for what is guessed at: an IPv6 address by its first 48 bits. Whoever asks for as much gets it, with 65,536
 * networks in it.
 */
export const wideNetworkOf = (address: string): string => network(address, 48);

function network(address: string, bits: 48 | 64): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address); // ::ffff:a.b.c.d is a.b.c.d
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  const parts = ip.parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${parts.join(":")}::/${bits}`;
}
