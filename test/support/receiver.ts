import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One received request. `json` is undefined if the body is not JSON; `at` is in milliseconds since 1970. */
export type Received = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  json: any;
  at: number;
};

/** A status, or a function that replies itself, e.g. late, never, with a redirect or without end. */
export type Answer = number | ((request: IncomingMessage, response: ServerResponse) => unknown);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver of webhooks on loopback. It answers 204 by default. */
export async function startReceiver() {
  const requests: Received[] = [];
  const waiting = new Set<() => void>();
  let queue: Answer[] = [204];
  let delayMs = 0;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the sender disconnected
    }
    requests.push(toReceived(request, Buffer.concat(chunks).toString("utf8")));
    const answer = (queue.length > 1 ? queue.shift() : queue[0]) ?? 204;
    for (const check of waiting) check();

    if (delayMs > 0) await sleep(delayMs);
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/`,
    requests,

    /** Replaces the queued replies; the last one repeats. */
    answers(...answers: Answer[]) {
      queue = answers;
    },

    /** Delays every reply by so many milliseconds. */
    delay(ms: number) {
      delayMs = ms;
    },

    /** Resolves with all requests once there are at least `count`. */
    waitFor(count: number, { timeoutMs = 5000 } = {}): Promise<Received[]> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`the receiver got ${requests.length} of ${count} requests within ${timeoutMs} ms`));
        }, timeoutMs);
        const check = () => {
          if (requests.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(requests);
        };
        waiting.add(check);
        check();
      });
    },

    /** Stops at once and closes all connections, even those in use. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function toReceived(request: IncomingMessage, body: string): Received {
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers as Record<string, string>,
    body,
    json: parseJson(body),
    at: Date.now(),
  };
}

function parseJson(body: string) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
