import { literalAddress, mayReach, reachOf } from "./public-address.ts";
import { withoutTrailing } from "./text.ts";

/**
 * Checks the URL of a webhook when it is saved. It resolves no names, so it only refuses what is visible in the text.
 * Each delivery checks the address again when it connects.
 * @returns the parsed URL, or the problem as the end of the sentence "url …".
 */
export function checkTarget(text: string, options: { allowLoopback: boolean }): URL | { problem: string } {
  if (text.length > MAX_URL) return { problem: `must have at most ${MAX_URL} characters` };
  // The URL parser drops tabs and line breaks and reads \ as /, so two parsers may see different hosts.
  if (UNCLEAN.test(text)) return { problem: "must not contain spaces, control characters or backslashes" };

  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) return { problem: "must be an absolute https URL" };
  if (url.href.length > MAX_URL) return { problem: `must have at most ${MAX_URL} characters` };
  if (url.username || url.password) return { problem: "must not contain credentials" };
  if (text.includes("#")) return { problem: "must not contain a fragment" };
  if (url.port === "0") return { problem: "must not use port 0" };

  const host = withoutTrailing(url.hostname, ".");
  if (!mayBeHost(host, options)) return { problem: "must not point at a private or local address" };
  if (url.protocol === "http:" && !(options.allowLoopback && isLoopback(host))) return { problem: "must use https" };
  return url;
}

/** In characters. */
export const MAX_URL = 2048;
const UNCLEAN = /[\s\p{Cc}\\]/u;

// A name without a dot, or below one of these domains, is only valid on the sender's own network.
const LOCAL_NAME = /^[^.]*$|\.(localhost|local|internal|home\.arpa)$/;

function mayBeHost(host: string, options: { allowLoopback: boolean }) {
  const address = literalAddress(host);
  return address ? mayReach(address, options) : host !== "" && (options.allowLoopback || !LOCAL_NAME.test(host));
}

function isLoopback(host: string) {
  const address = literalAddress(host);
  return address ? reachOf(address) === "loopback" : /(^|\.)localhost$/.test(host);
}
