const MAX_LENGTH = 2_000;

/**
 * A path of this service to redirect to. Null for texts that a browser might read as another host: `//host`,
 * `/\host`, and texts with characters that browsers drop.
 */
export function readOwnPath(text: string): string | null {
  if (text.length > MAX_LENGTH || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)) return null;
  return URL.parse(text, "http://here.invalid")?.host === "here.invalid" ? text : null;
}
