import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Stops a server without failing a request. A client that keeps a connection open may send its next request at any
 * moment, and a connection closed at that moment resets it. So clients are told to leave (`Connection: close` on every
 * answer), and only connections that stayed silent through all of the drain are closed under them.
 */
export type Drain = {
  /** Aborted when the drain begins: `/readyz` answers 503 from then on, and long answers should end. */
  readonly stopping: AbortSignal;
  /** Drains, then closes the port and waits until every connection has ended. */
  close(times: DrainTimes): Promise<void>;
};

export type DrainTimes = {
  /** How long requests on old and new connections are served before the port closes, in milliseconds. */
  drainMs: number;
  /** When requests that are still under way are cut, in milliseconds after the call. */
  cutMs: number;
};

/** A connection without a request under way is closed after so long a silence. */
const SILENCE_MS = 1_000;
const LOOK_MS = 50;

type Connection = { requests: number; bytesRead: number; silentSince: number };

/** Watches the connections of `server` from now on. */
export function openDrain(server: Server): Drain {
  const stopping = new AbortController();
  const connections = new Map<Socket, Connection>();
  const answers = new Set<ServerResponse>();

  server.on("connection", (socket: Socket) => {
    connections.set(socket, { requests: 0, bytesRead: 0, silentSince: Date.now() });
    socket.once("close", () => connections.delete(socket));
  });
  server.prependListener("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const connection = connections.get(socket)!;
    connection.requests++;
    answers.add(answer);
    if (stopping.signal.aborted) leave(answer);
    answer.once("close", () => {
      connection.requests--;
      answers.delete(answer);
    });
  });

  async function close({ drainMs, cutMs }: DrainTimes): Promise<void> {
    stopping.abort();
    for (const answer of answers) leave(answer);
    const cut = setTimeout(() => server.closeAllConnections(), cutMs);
    await sleep(drainMs);
    // Not http.Server's own close(), which closes idle connections at once: one of them may be new, its request on the way.
    const closed = new Promise((done) => TcpServer.prototype.close.call(server, done));
    const look = setInterval(() => closeSilent(connections, Math.min(SILENCE_MS, drainMs)), LOOK_MS);
    closeSilent(connections, Math.min(SILENCE_MS, drainMs));
    await closed;
    clearInterval(look);
    clearTimeout(cut);
  }

  return { stopping: stopping.signal, close };
}

/** An answer whose headers are sent already cannot say it any more; its connection ends with the next one or by silence. */
function leave(answer: ServerResponse): void {
  answer.shouldKeepAlive = false;
}

function closeSilent(connections: Map<Socket, Connection>, silenceMs: number): void {
  const now = Date.now();
  for (const [socket, connection] of connections) {
    // Part of a request's head is no silence: it may be a slow client, and has a time limit of its own.
    if (connection.requests > 0 || socket.bytesRead !== connection.bytesRead) {
      connection.bytesRead = socket.bytesRead;
      connection.silentSince = now;
    } else if (now - connection.silentSince >= silenceMs) socket.destroy();
  }
}
