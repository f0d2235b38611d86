import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Exchange = [request: IncomingMessage, answer: ServerResponse];

/** Requests of a connection that may wait. Browsers and common clients send none before the previous reply. */
const MAX_WAITING = 32;
/** Characters in the heads of the requests of a connection that may wait. In the heap, a head takes twice as much. */
const MAX_WAITING_HEADS = 64 * 1024;

/** The requests of a connection that wait while one is active. */
type Connection = { isActive: boolean; waiting: Exchange[]; heads: number };

/**
 * An HTTP server that handles the requests of a connection one after another. A client may send its requests without
 * waiting for the replies (RFC 9112, section 9.3.2), and Node starts all of them at once. 20,000 requests take 640 kB, so
 * a few connections could use up the memory of the process, and everyone else would wait behind them. A connection with
 * too many or too large waiting requests is closed.
 */
export class SequentialServer extends Server {
  readonly #connections = new WeakMap<Socket, Connection>();

  override emit(event: string | symbol, ...details: unknown[]): boolean {
    if (event !== "request") return super.emit(event as string, ...details);
    this.#receive(details as Exchange);
    return true;
  }

  #receive(exchange: Exchange): void {
    const { socket } = exchange[0];
    let connection = this.#connections.get(socket);
    if (!connection) {
      connection = { isActive: false, waiting: [], heads: 0 };
      this.#connections.set(socket, connection);
    }
    if (!connection.isActive) {
      connection.isActive = true;
      this.#handle(exchange, connection);
      return;
    }
    connection.heads += headOf(exchange);
    if (connection.waiting.push(exchange) > MAX_WAITING || connection.heads > MAX_WAITING_HEADS) socket.destroy();
  }

  #handle([request, answer]: Exchange, connection: Connection): void {
    super.emit("request", request, answer);
    answer.once("close", () => {
      // Nobody would receive another reply.
      if (!request.socket.writable) return;
      const next = connection.waiting.shift();
      if (!next) {
        connection.isActive = false;
        return;
      }
      connection.heads -= headOf(next);
      this.#handle(next, connection);
    });
  }
}

const headOf = ([{ url = "", rawHeaders }]: Exchange): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length);
