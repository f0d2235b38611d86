/** What tokens are for (RFC 8707). All of it is one service: a token serves everywhere, under whatever name it was asked for. */

export const REST = "/v1";
export const TOOL_SERVER = "/api/mcp/v1";

/** Names of the service that clients may ask tokens for. Some write a slash at the end. */
export const resourcesOf = (baseUrl: string): string[] =>
  ["", REST, TOOL_SERVER].flatMap((path) => [baseUrl + path, `${baseUrl}${path}/`]);
