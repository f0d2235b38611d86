import type { IncomingMessage, ServerResponse } from "node:http";

/** How long what is left of a body is read after the answer. */
const LINGER_MS = 5_000;

/**
 * Lets an answer reach a client that is still sending its request's body (RFC 9112, section 9.6). Closing a connection
 * with unread bytes resets it, and the reset may overtake the answer: so Node's end of the connection is put off until
 * the rest of the body was read and thrown away.
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
