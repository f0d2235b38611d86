import type { Context } from "koa";

/**
 * Pages that show secrets to whoever sits at the right machine answer only under names of this service. A page of
 * another site can point its own name at our address (DNS rebinding) and then reads our answers as its own, but the
 * Host header (RFC 9110, 7.2) still says the other name. Ports are not compared: they say nothing about the name, and
 * differ behind a proxy, in a container and for a worker.
 */

/** Names that browsers never ask a foreign name server about. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const ANY = "*";

export type Hosts = {
  /** Public address of the service. */
  baseUrl: string;
  /** Further host names; `*` stands for all. */
  more: readonly string[];
};

/** Whether a Host header names the service itself, or this machine. */
export function isOwnHost(header: string | undefined, { baseUrl, more }: Hosts): boolean {
  if (more.includes(ANY)) return true;
  const name = nameIn(header ?? "");
  if (name === null) return false;
  return LOOPBACK.has(name) || name === new URL(baseUrl).hostname || more.some((one) => nameIn(one) === name);
}

/** Whether a Host header names this machine. */
export const isLoopbackHost = (header: string | undefined): boolean => LOOPBACK.has(nameIn(header ?? "") ?? "");

/** A host name in the spelling of URLs; null for what is no host with or without a port. */
function nameIn(host: string): string | null {
  if (host.length > 300 || !/^[\w.:[\]-]+$/.test(host)) return null;
  return URL.parse(`http://${host}`)?.hostname ?? null;
}

/** What others are answered: 421 says that the name is wrong, not the path (RFC 9110, 15.5.20). */
export const misdirected = ({ baseUrl }: Pick<Hosts, "baseUrl">): string =>
  `This page answers at ${baseUrl} only, and on the machine itself.\n`;

/** Lets a request under the service's own name pass; any other one is answered, and the answer is false. */
export function admitOwnHost(ctx: Context, hosts: Hosts): boolean {
  if (isOwnHost(ctx.get("host"), hosts)) return true;
  ctx.status = 421;
  ctx.type = "text/plain; charset=utf-8";
  ctx.body = misdirected(hosts);
  return false;
}
