import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * What happens to a request on its way:
 * - `pass`: nothing;
 * - `refuse`: the connection is closed before the service sees the request;
 * - `lose`: the service executes it, and the connection is closed instead of the reply;
 * - `cut`: half of the reply's body arrives;
 * - `hang`: the service executes it, and no reply comes;
 * - an object: this answer comes instead, and the service sees nothing.
 */
export type Fate =
  | "pass"
  | "refuse"
  | "lose"
  | "cut"
  | "hang"
  | { status: number; headers?: Record<string, string>; body?: string };

/** A bad network in front of a service: each request has the next planned fate, and then all pass. */
export async function startLosingProxy(target: string) {
  let fates: Fate[] = [];
  const seen: { method: string; url: string; headers: IncomingMessage["headers"]; at: number }[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    seen.push({ method, url, headers, at: performance.now() });
    const fate = fates.shift() ?? "pass";
    if (fate === "refuse") return void incoming.socket.destroy();
    if (typeof fate === "object") {
      incoming.resume();
      outgoing.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    const upstream = request(target + url, { method, headers }, (reply) => pass(fate, reply, outgoing));
    upstream.on("error", () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests so far. */
    seen,
    plan(...next: Fate[]) {
      fates = next;
    },
  };
}

function pass(fate: Fate, reply: IncomingMessage, outgoing: ServerResponse): void {
  if (fate === "pass") {
    outgoing.writeHead(reply.statusCode!, reply.headers);
    reply.pipe(outgoing);
    outgoing.once("close", () => reply.destroy());
    return;
  }
  const chunks: Buffer[] = [];
  reply.on("data", (chunk: Buffer) => chunks.push(chunk));
  reply.on("end", () => {
    if (fate === "hang") return;
    if (fate === "lose") return void outgoing.destroy();
    const body = Buffer.concat(chunks);
    outgoing.writeHead(reply.statusCode!, reply.headers);
    outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
  });
}
