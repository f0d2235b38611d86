import ipaddr from "ipaddr.js";
import type { Client } from "../../kernel/audit-entry.ts";
import { shorten, singleLine } from "../../kernel/text.ts";
import { MAX_TEXT } from "./shown-value.ts";

/** What an entry keeps of a client: its network, because a whole address would tell more about a person than it needs. */
export const clientPart = (client: Client | null): { ip: string | null; user_agent: string | null } => ({
  ip: client && networkPart(client.address),
  user_agent: client && (shorten(singleLine(client.userAgent.slice(0, 2 * MAX_TEXT)), MAX_TEXT) || null),
});

/** The /24 of an IPv4 address or the /48 of an IPv6 address in CIDR notation. Null for other text. */
export function networkPart(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const ip = ipaddr.process(address); // ::ffff:a.b.c.d is a.b.c.d
  if (ip instanceof ipaddr.IPv4) return `${ip.octets.slice(0, 3).join(".")}.0/24`;
  // The /48 of a 6to4 address has a whole IPv4 address in it.
  if (ip.range() === "6to4") return networkPart(ipv4At(ip, 1));
  const network = new ipaddr.IPv6([...ip.parts.slice(0, 3), 0, 0, 0, 0, 0]);
  return `${network.toRFC5952String()}/48`;
}

/** The IPv4 address in two 16-bit parts of an IPv6 address. */
const ipv4At = ({ parts }: ipaddr.IPv6, at: number): string =>
  [parts[at]!, parts[at + 1]!].flatMap((part) => [part >> 8, part & 0xff]).join(".");
