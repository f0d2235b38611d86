/**
 * The audiences of tokens (RFC 8707). All of them are one service: a token works everywhere, whichever audience it
 * was requested for.
 */

export const REST = "/v1";
export const TOOL_SERVER = "/api/mcp/v1";

/** The audiences that clients may request. Some clients add a trailing slash. */
export const resourcesOf = (baseUrl: string): string[] =>
  ["", REST, TOOL_SERVER].flatMap((path) => [baseUrl + path, `${baseUrl}${path}/`]);

/** Path of the metadata document of the whole service (RFC 9728). Those of its parts have the part's path after it. */
export const PROTECTED_DOCUMENT = "/.well-known/oauth-protected-resource";
