/** Frames of a stream of server-sent events (WHATWG HTML, "Server-sent events"). */

/** @param data is written as one line of JSON */
export const frame = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** How long a client waits before it connects again, in milliseconds. */
export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`;

/** Keeps the connection from looking idle. Clients ignore it. */
export const PING = ": ping\n\n";
