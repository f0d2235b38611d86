import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as TcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Stops a server without failing a request. A client with an open connection may send its next request at any moment,
 * and closing the connection at that moment resets it. So every reply tells the client to leave (`Connection:
 * close`), and only connections that stay silent during the drain are closed.
 */
export type Drain = {
  /** Aborted when the drain begins: from then on `/readyz` answers 503 and long replies should end. */
  readonly stopping: AbortSignal;
  /** Drains, closes the port, and waits until every connection has ended. */
  close(times: DrainTimes): Promise<void>;
};

export type DrainTimes = {
  /** How long requests are served before the port closes, in milliseconds. */
  drainMs: number;
  /** When unfinished requests are aborted, in milliseconds after the call. */
  cutMs: number;
};

/** A connection without an active request is closed after this much silence. */
const SILENCE_MS = 1_000;
const CHECK_MS = 50;

type Connection = { requests: number; bytesRead: number; silentSince: number };

/** Tracks the connections of `server` from now on. */
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
    // Not http.Server's own close(), which closes idle connections at once. One of them may be new, with its request
    // on the way.
    const closed = new Promise((done) => TcpServer.prototype.close.call(server, done));
    const timer = setInterval(() => closeSilent(connections, Math.min(SILENCE_MS, drainMs)), CHECK_MS);
    closeSilent(connections, Math.min(SILENCE_MS, drainMs));
    await closed;
    clearInterval(timer);
    clearTimeout(cut);
  }

  return { stopping: stopping.signal, close };
}

/** If the headers are sent already, the connection ends with its next reply or after silence. */
function leave(answer: ServerResponse): void {
  answer.shouldKeepAlive = false;
}

function closeSilent(connections: Map<Socket, Connection>, silenceMs: number): void {
  const now = Date.now();
  for (const [socket, connection] of connections) {
    // A partly received request head is not silence: the client may be slow, and has its own time limit.
    if (connection.requests > 0 || socket.bytesRead !== connection.bytesRead) {
      connection.bytesRead = socket.bytesRead;
      connection.silentSince = now;
    } else if (now - connection.silentSince >= silenceMs) socket.destroy();
  }
}
