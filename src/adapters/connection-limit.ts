import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Each connection may keep an incomplete request head of up to 32 KiB in the heap. */
const MAX_CONNECTIONS = 3_000;

/**
 * Limits the connections without an active request. Above the limit, the connection that has waited longest for its next
 * request, or for the rest of a request's head, is closed. New connections are always accepted.
 */
export function limitConnections(server: Server, max = MAX_CONNECTIONS): void {
  const requests = new Map<Socket, number>();
  // In the order in which they began to wait.
  const waiting = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    waiting.add(socket);
    socket.once("close", () => {
      requests.delete(socket);
      waiting.delete(socket);
    });
    // Active requests have their own limits; thousands of them may be streams.
    if (waiting.size <= max) return;
    const [oldest] = waiting;
    requests.delete(oldest!);
    waiting.delete(oldest!);
    oldest!.destroy();
  });
  server.prependListener("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    waiting.delete(socket);
    answer.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (!requests.has(socket)) return;
      requests.set(socket, left);
      if (left === 0) waiting.add(socket);
    });
  });
}
