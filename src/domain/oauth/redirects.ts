/** Where a client may have people sent back to: its own program, and nothing that could be somebody else's. */

const MOST_LENGTH = 500;
/** Of browsers themselves, or of programs that would show what they are given. */
const FORBIDDEN_SCHEMES = new Set(
  "javascript vbscript data blob file filesystem about view-source ws wss ftp mailto tel sms intent jar".split(" "),
);
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** What is wrong with a redirect address, or null. */
export function faultOf(uri: unknown): string | null {
  if (typeof uri !== "string" || uri === "" || uri.length > MOST_LENGTH) {
    return `must be texts of 1 to ${MOST_LENGTH} characters`;
  }
  // URL parsers drop or turn these silently, so that what is compared later is not what was looked at here.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f-\u00a0\\*]/.test(uri)) return "must have no blanks, control characters, backslashes or *";
  const url = URL.parse(uri);
  if (!url) return "must be absolute addresses";
  if (uri.includes("#")) return "must have no fragment";
  if (url.username || url.password || /^[^/]*\/\/[^/?]*@/.test(uri)) return "must name no user";
  const scheme = url.protocol.slice(0, -1);
  if (scheme === "https") return LOOPBACK.has(url.hostname) ? "must use http on this computer's own address" : null;
  if (scheme === "http") {
    return LOOPBACK.has(url.hostname) ? null : "must use https, but for 127.0.0.1, [::1] and localhost";
  }
  return FORBIDDEN_SCHEMES.has(scheme) ? `must not use ${scheme}:` : null;
}

/** Whether an address leads to a program on the computer whose browser goes there. */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === "http:" && LOOPBACK.has(url.hostname);
}

/** Whom an address belongs to, for people to read. */
export function hostOf(uri: string): string {
  const url = URL.parse(uri);
  if (!url) return uri;
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : `${url.protocol} (an app on this computer)`;
}
