import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * A load balancer like those of hosting platforms: it probes every backend's `/readyz` each second, distributes
 * requests among those that are ready, and never retries. `X-Upstream: fresh` opens a connection for the request;
 * otherwise connections are reused.
 */
export type Balancer = {
  url: string;
  /** Requests that the backend did not answer. */
  failures: string[];
  served(backend: string): number;
  /** Waits until the backend gets requests again. */
  ready(backend: string): Promise<void>;
  stop(): Promise<void>;
};

const ASK_EVERY_MS = 1_000;

export async function startBalancer(backends: string[]): Promise<Balancer> {
  const kept = new Agent({ keepAlive: true });
  const fresh = new Agent({ keepAlive: false });
  const up = new Set<string>();
  const served = new Map(backends.map((backend) => [backend, 0]));
  const failures: string[] = [];
  const stopped = new AbortController();
  let turn = 0;

  const server = createServer((incoming, outgoing) => {
    const ready = backends.filter((backend) => up.has(backend));
    const backend = ready[turn++ % ready.length];
    if (!backend) return fail(incoming, outgoing, failures, "no backend is ready");
    const { connection: _, ...headers } = incoming.headers;
    const upstream = request(backend + incoming.url, {
      method: incoming.method,
      headers,
      agent: incoming.headers["x-upstream"] === "fresh" ? fresh : kept,
    });
    upstream.on("error", (error: NodeJS.ErrnoException) =>
      fail(incoming, outgoing, failures, `${error.code ?? error.message} from ${backend}`),
    );
    upstream.on("response", (answer) => {
      served.set(backend, served.get(backend)! + 1);
      const { connection: _, "keep-alive": __, ...rest } = answer.headers;
      outgoing.writeHead(answer.statusCode!, rest);
      answer.pipe(outgoing);
      answer.on("error", (error) =>
        failures.push(`${incoming.method} ${incoming.url}: ${error.message} in the answer`),
      );
    });
    incoming.pipe(upstream);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));

  for (const backend of backends) void watch(backend, up, stopped.signal);
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    failures,
    served: (backend) => served.get(backend) ?? 0,
    ready: (backend) => expect.poll(() => up.has(backend), { timeout: 20_000 }).toBe(true),
    async stop() {
      stopped.abort();
      kept.destroy();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function watch(backend: string, up: Set<string>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const limit = AbortSignal.timeout(ASK_EVERY_MS);
    const reply = await fetch(`${backend}/readyz`, { signal: limit }).catch(() => null);
    await reply?.body?.cancel();
    if (reply?.ok) up.add(backend);
    else up.delete(backend);
    await sleep(ASK_EVERY_MS, undefined, { ref: false });
  }
}

function fail(incoming: IncomingMessage, outgoing: ServerResponse, failures: string[], why: string): void {
  failures.push(`${incoming.method} ${incoming.url}: ${why}`);
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502).end();
}
