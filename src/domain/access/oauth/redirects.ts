/** Checks redirect addresses of clients: they must lead to the client's own program. */

/** Maximum length of a redirect address, in characters. */
export const MAX_REDIRECT_LENGTH = 500;
/** Maximum length of a client's name, in characters. */
export const MAX_NAME_LENGTH = 80;
/** Apps that are known to receive their redirects at a single-word scheme. */
const KNOWN_APPS = new Set("claude cursor raycast vscode vscode-insiders vscodium warp windsurf zed".split(" "));
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** The error in a redirect address, or null. */
export function faultOf(uri: unknown): string | null {
  if (typeof uri !== "string" || uri === "" || uri.length > MAX_REDIRECT_LENGTH) {
    return `must be strings of 1 to ${MAX_REDIRECT_LENGTH} characters`;
  }
  // URL parsers silently drop or convert these characters, so a later comparison would see another text than this
  // check.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f-\u00a0\\*]/.test(uri))
    return "must not contain spaces, control characters, backslashes or *";
  const url = URL.parse(uri);
  if (!url) return "must be absolute, with a scheme";
  if (uri.includes("#")) return "must not have a fragment";
  if (url.username || url.password || /^[^/]*\/\/[^/?]*@/.test(uri)) return "must not contain a user name";
  const scheme = url.protocol.slice(0, -1);
  // Parsers add missing slashes, but browsers take such an address as a path of the site that sends them there.
  if (/^https?:(?!\/\/)/i.test(uri)) return "must have // after the scheme";
  if (scheme === "https") return LOOPBACK.has(url.hostname) ? "must use http for loopback addresses" : null;
  if (scheme === "http") {
    return LOOPBACK.has(url.hostname) ? null : "must use https, except for 127.0.0.1, [::1] and localhost";
  }
  // RFC 8252 §7.1: a private-use scheme is a reversed domain name. Single words belong to browsers and the operating
  // system, which may do anything with the address.
  return scheme.includes(".") || KNOWN_APPS.has(scheme) ? null : `must not use ${scheme}:; use a scheme with a dot`;
}

/** Whether an address leads to a program on the person's own computer. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "http:" && LOOPBACK.has(url.hostname);
}

/** The owner of an address, as text for people. */
export function hostOf(uri: string): string {
  const url = URL.parse(uri);
  if (!url) return uri;
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : `${url.protocol} (an app on this computer)`;
}

/**
 * A name for a client that gives none: the host of a redirect address, or the app's own scheme. If the host is too
 * long, its end is kept, because that identifies the owner.
 */
export function nameFrom(uri: string): string {
  if (isLoopback(uri)) return "Local program";
  const { protocol, host } = new URL(uri);
  const name = protocol === "https:" ? host : protocol.slice(0, -1);
  return name.length > MAX_NAME_LENGTH ? `…${name.slice(1 - MAX_NAME_LENGTH)}` : name;
}
