import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { type Process, startProcess } from "../support/process.ts";
import { flagsOf } from "../support/procfile.ts";
import { world } from "../support/world.ts";

/** Requests that clients send on one connection without waiting for the replies. */

let web: Process;
const sockets: Socket[] = [];

beforeAll(async () => {
  const { config } = await app();
  web = await startProcess("web", config, { NODE_OPTIONS: flagsOf("web").join(" ") });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => web.kill());

function send(text: string): Socket {
  const socket = connect(Number(new URL(web.url).port), "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  socket.write(text);
  return socket;
}

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

test("a few are answered in their order", async () => {
  const { owner, workspace } = await world();
  const titles = Array.from({ length: 20 }, (_, n) => `No. ${n};`);
  for (const title of titles) await owner.post("P/issues", { title }).expect(201);
  const path = `/v1/workspaces/${workspace.slug}/projects/WEB/issues/WEB-`;
  let reply = "";
  send(titles.map((_, n) => get(`${path}${n + 1}`, `X-Api-Key: ${owner.key}\r\n`)).join("")).on("data", (data) => {
    reply += data;
  });
  await expect.poll(() => reply.match(/No\. \d+;/g)).toEqual(titles);
});

test("thousands from a stranger delay nobody else and end no process", { timeout: 120_000 }, async () => {
  const { owner } = await world();
  const flood = get("/v1/me").repeat(20_000);
  for (let n = 0; n < 5; n++) send(flood).resume();
  const waits: number[] = [];
  for (let n = 0; n < 20; n++) {
    const sent = performance.now();
    const me = await fetch(`${web.url}/v1/me`, { headers: { "x-api-key": owner.key! } });
    expect(me.status).toBe(200);
    waits.push(performance.now() - sent);
  }
  // When all requests were started at once, it was 47 s. On a machine with other work it may be 3 s.
  expect(Math.max(...waits)).toBeLessThan(8_000);
  await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true);
  expect(web.child.exitCode).toBeNull();
});
