import type { IncomingMessage, ServerResponse } from "node:http";

/** How long the rest of a body is read after the reply. */
const LINGER_MS = 5_000;

/**
 * Lets a reply reach a client that is still sending the request's body (RFC 9112, section 9.6). Closing a connection
 * with unread bytes resets it, and the reset may overtake the reply. So the connection is closed only after the rest
 * of the body was read and discarded.
 */
export function linger(request: IncomingMessage, answer: ServerResponse): void {
  // Before Node's own listener, which closes the connection with `destroySoon`.
  answer.prependOnceListener("finish", () => {
    const { socket } = request;
    if (answer.shouldKeepAlive || request.complete) return;
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      request.once("close", () => {
        clearTimeout(timer);
        socket.destroy();
      });
      request.resume();
    };
  });
}
