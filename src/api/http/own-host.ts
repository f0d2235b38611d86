import type { Context } from "koa";

/**
 * Pages that show secrets answer only under the service's own host names. A page of another site can point its own
 * name at our address (DNS rebinding) and then read our replies as its own, but the Host header (RFC 9110, 7.2) still
 * has the other name. Ports are not compared: they do not identify the name, and they differ behind a proxy, in a
 * container and for a worker.
 */

/** Names that browsers never resolve with a foreign name server. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const ANY = "*";

export type Hosts = {
  /** Public address of the service. */
  baseUrl: string;
  /** Further host names. `*` allows all. */
  more: readonly string[];
};

/** Whether a Host header has a name of the service or of this machine. */
export function isOwnHost(header: string | undefined, { baseUrl, more }: Hosts): boolean {
  if (more.includes(ANY)) return true;
  const name = nameIn(header ?? "");
  if (name === null) return false;
  return LOOPBACK.has(name) || name === new URL(baseUrl).hostname || more.some((one) => nameIn(one) === name);
}

/** Whether a Host header has a name of this machine. */
export const isLoopbackHost = (header: string | undefined): boolean => LOOPBACK.has(nameIn(header ?? "") ?? "");

/** The host name in normalised form. Null if the text is not a host with an optional port. */
function nameIn(host: string): string | null {
  if (host.length > 300 || !/^[\w.:[\]-]+$/.test(host)) return null;
  return URL.parse(`http://${host}`)?.hostname ?? null;
}

/** The text of a 421 reply: the host name is wrong, not the path (RFC 9110, 15.5.20). */
export const misdirected = ({ baseUrl }: Pick<Hosts, "baseUrl">): string =>
  `This page is available only at ${baseUrl} and on the machine itself.\n`;

/** Returns true if the request uses one of the service's names. Otherwise sends the reply and returns false. */
export function admitOwnHost(ctx: Context, hosts: Hosts): boolean {
  if (isOwnHost(ctx.get("host"), hosts)) return true;
  ctx.status = 421;
  ctx.type = "text/plain; charset=utf-8";
  ctx.body = misdirected(hosts);
  return false;
}
