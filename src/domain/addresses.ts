import ipaddr from "ipaddr.js";

/**
 * Whose an IP address is, for limits: an IPv4 address by itself, an IPv6 address by its first 64 bits, which is the
 * least that a single customer has at their disposal. What does not parse stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address); // ::ffff:a.b.c.d is a.b.c.d
  if (ip instanceof ipaddr.IPv4) return ip.toString();
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
