import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openDrain } from "../../src/adapters/drain.ts";
import { operation } from "../../src/api/engine/operation.ts";
import { type Outlet, Stream } from "../../src/api/engine/stream.ts";
import { createApp } from "../../src/api/http/app.ts";
import { runtimeOf } from "../../src/start-web.ts";
import { world } from "../support/world.ts";

/** Streamed replies, with an operation of this test's own. */

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
});

type Connection = Outlet & {
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal;
  drained: () => Promise<void>;
  closed: Promise<void>;
};

/** Serves `GET W/ticks`, whose reply `write` writes. */
async function serve(write: (connection: Connection) => void) {
  const { app, workspace, owner } = await world();
  const ticks = operation({
    id: "ticks.stream",
    route: "GET W/ticks",
    summary: "Ticks",
    needs: "any",
    limitedKeys: "refuse",
    returns: z.string(),
    streams: { mediaType: "text/event-stream", description: "Events.", frame: z.unknown() },
    handle: async () =>
      new Stream("text/event-stream", (outlet, stopping) => {
        const close = Promise.withResolvers<void>();
        let drained = () => {};
        write({
          write: (text) => outlet.write(text),
          end: (text) => outlet.end(text),
          destroy: () => outlet.destroy(),
          stopping,
          drained: async () => {
            const drain = Promise.withResolvers<void>();
            drained = drain.resolve;
            await drain.promise;
          },
          closed: close.promise,
        });
        return { drained: () => drained(), closed: close.resolve };
      }),
  });
  const server = createServer();
  servers.push(server);
  const drain = openDrain(server);
  const koa = createApp({
    runtime: runtimeOf(app.resources, drain.stopping),
    operations: [ticks],
    otherRoutes: [],
    pages: () => {},
    problemPage: () => {},
    oauth: (_, next) => next(),
    cookieKeys: ["test"],
    log: app.resources.log,
    trustedProxies: 0,
    isUnavailable: () => false,
    onRequest: () => {},
    onCaller: () => {},
    onAnswer: () => {},
  });
  server.on("request", koa.callback());
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const call = request({
    port,
    path: `/v1/workspaces/${workspace.slug}/ticks`,
    headers: { authorization: `Bearer ${owner.key}` },
  });
  const answer = new Promise<import("node:http").IncomingMessage>((done) => call.on("response", done));
  call.on("error", () => {});
  call.end();
  return { drain, call, answer };
}

test("written data arrives at once, and headers keep proxies from buffering it", async () => {
  let more = () => {};
  const wanted = new Promise<void>((resolve) => {
    more = resolve;
  });
  const { answer } = await serve(({ write, end }) => {
    write("data: 1\n\n");
    void wanted.then(() => end("data: 2\n\n"));
  });
  const reply = await answer;
  expect(reply.statusCode).toBe(200);
  expect(reply.headers).toMatchObject({ "content-type": "text/event-stream", "x-accel-buffering": "no" });
  const chunks = reply.setEncoding("utf8")[Symbol.asyncIterator]();
  expect((await chunks.next()).value).toBe("data: 1\n\n");
  more();
  expect((await chunks.next()).value).toBe("data: 2\n\n");
  expect((await chunks.next()).done).toBe(true);
});

test("a stream waits for a client that does not read", async () => {
  let written = 0;
  const { answer } = await serve(async ({ write, drained }) => {
    while (written < 5_000) {
      written++;
      if (!write("x".repeat(64 * 1024))) await drained();
    }
  });
  const reply = await answer;
  reply.pause();
  await sleep(300);
  const before = written;
  await sleep(300);
  // What the sockets' buffers take, and not the 300 MB there are.
  expect(written).toBe(before);
  expect(written).toBeLessThan(500);
  reply.destroy();
});

test("a stream ends when its client disconnects", async () => {
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const { answer, call } = await serve(({ write, closed }) => {
    write("data: 1\n\n");
    void closed.then(ended);
  });
  await answer;
  call.destroy();
  await end;
});

test("a stop lets streams end cleanly, and does not wait longer", async () => {
  const { answer, drain } = await serve(({ write, end, stopping }) => {
    write("data: 1\n\n");
    stopping.addEventListener("abort", () => end("retry: 0\n\n"));
  });
  const reply = await answer;
  let text = "";
  reply.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const begun = Date.now();
  await drain.close({ drainMs: 50, cutMs: 5_000 });
  expect(Date.now() - begun).toBeLessThan(2_000);
  expect(text).toBe("data: 1\n\nretry: 0\n\n");
  expect(reply.complete).toBe(true);
});
