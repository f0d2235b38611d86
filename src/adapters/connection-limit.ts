import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Each may keep the unfinished head of a request, 32 KiB at most, in the heap. */
const MOST_CONNECTIONS = 3_000;

/**
 * Limits the connections without a request under way. When there are more connections, the one that has waited longest
 * for its next request, or for the rest of its head, is closed: a newcomer is always let in.
 */
export function limitConnections(server: Server, most = MOST_CONNECTIONS): void {
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
    // Requests under way are limited elsewhere.
    if (requests.size <= most || waiting.size === 1) return;
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
