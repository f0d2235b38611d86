const MOST_LETTERS = 2_000;

/**
 * A path of this service to go on to, or null for anything that a browser might read as another place: `//host`,
 * `/\host`, and what it would drop before reading on.
 */
export function readOwnPath(text: string): string | null {
  if (text.length > MOST_LETTERS || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(text)) return null;
  return URL.parse(text, "http://here.invalid")?.host === "here.invalid" ? text : null;
}
