import ipaddr from "ipaddr.js";

/** The kind of network of an address. Everything that is neither public unicast nor loopback is `private`. */
export type Reach = "public" | "loopback" | "private";

/** Classifies an IP address in its usual spelling; what does not parse is `private`. */
export function reachOf(address: string): Reach {
  if (!(isIPv4(address) || isIPv6(address))) return "private";

  const ip = ipaddr.process(address); // ::ffff:a.b.c.d is judged as a.b.c.d, as the kernel connects to that
  const range = ip.range();
  if (range === "loopback") return "loopback";
  if (range !== "unicast" || PLATFORM_ADDRESSES.has(ip.toString())) return "private";
  if (ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST)) return "private";
  return "public";
}

/** Whether a webhook may connect to an address. Checked when a webhook is saved and again when it connects. */
export const mayReach = (address: string, { allowLoopback }: { allowLoopback: boolean }): boolean => {
  const reach = reachOf(address);
  return reach === "public" || (allowLoopback && reach === "loopback");
};

/** Returns the IP address in a parsed URL's `hostname`, without brackets; null if it is a name. */
export function literalAddress(hostname: string): string | null {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return isIPv4(hostname) ? hostname : null;
}

const isIPv4 = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text);

// The library reads ::a.b.c.d as ::ffff:a.b.c.d, another address than the one the kernel would connect to.
const isIPv6 = (text: string) => ipaddr.IPv6.isValid(text) && (!text.includes(".") || /^::ffff:/i.test(text));

// RFC 4291 §2.4: the rest of the space is not handed out; ::a.b.c.d (IPv4-compatible) is a part of that rest.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

// A public address that belongs to the host's own agent on Azure. Other clouds' metadata addresses are in private
// ranges.
const PLATFORM_ADDRESSES = new Set(["168.63.129.16"]);
