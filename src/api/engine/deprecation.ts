/** An operation that still works, but that clients should stop using; see docs/versioning.md. */
export type Deprecation = {
  /** First day on which it is deprecated, `YYYY-MM-DD` in UTC. */
  since: string;
  /** The day from which it may be gone: six months after `since` at the earliest. Absent if it is to stay. */
  sunset?: string;
  /** What to use instead, as a sentence. */
  use: string;
};

/** The page that says what is deprecated, and since when. */
export const CHANGELOG_PATH = "/changelog.md";

/**
 * The headers of every reply of a deprecated operation, errors too: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and
 * where to read more.
 */
export function deprecationHeaders({ since, sunset }: Deprecation, baseUrl: string): Record<string, string> {
  const page = `<${baseUrl}${CHANGELOG_PATH}>`;
  const link = (rel: string) => `${page}; rel="${rel}"; type="text/markdown"`;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset ? { Sunset: new Date(sunset).toUTCString() } : {}),
    Link: [link("deprecation"), ...(sunset ? [link("sunset")] : [])].join(", "),
  };
}

/** The same for readers of the API description. */
export const deprecationText = ({ since, sunset, use }: Deprecation): string =>
  `**Deprecated** since ${since}${sunset ? `; it may be gone from ${sunset}` : ""}. ${use}`;
