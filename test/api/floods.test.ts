import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { Client } from "../support/client.ts";
import { hold } from "../support/locks.ts";
import { type Process, startProcess } from "../support/process.ts";
import { flagsOf } from "../support/procfile.ts";
import { type World, world } from "../support/world.ts";

/** A process with the heap size of the Procfile serves other clients, however much memory one client occupies. */

const KiB = 1024;

let web: Process;
const sockets: Socket[] = [];

beforeAll(async () => {
  const { config } = await app();
  web = await startProcess("web", config, { TRUSTED_PROXIES: "1", NODE_OPTIONS: flagsOf("web").join(" ") });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => web.kill());

async function at(here: World): Promise<Client> {
  const W = `/v1/workspaces/${here.workspace.slug}`;
  const key = await here.keyFor(here.owner, { rateLimit: 1_000_000 });
  return new Client(web.url, { W, P: `${W}/projects/${here.project.key}` }, key);
}

/** Opens connections that send some text each and read nothing. */
async function open(count: number, text: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(new URL(web.url).port), "127.0.0.1");
    socket.on("error", () => {}).pause();
    socket.write(text);
    sockets.push(socket);
    if (n % 50 === 0) await sleep(20);
  }
}

const head = (line: string, headers: Record<string, string>) =>
  [`${line} HTTP/1.1`, "Host: localhost", ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(
    "\r\n",
  );

test("bodies that never end, from strangers in one network, end no process and no other call", {
  timeout: 120_000,
}, async () => {
  const { post, get } = await at(await world());
  const size = 256 * KiB;
  const stranger = {
    "X-Forwarded-For": "203.0.113.1",
    "Content-Type": "application/json",
    "Content-Length": `${size}`,
  };
  const body = "a".repeat(size - 1);
  const flood = open(1_500, `${head("POST /api/webhooks/stripe", stranger)}\r\n\r\n${body}`);
  const large = { title: "x", description_md: "d".repeat(60 * KiB) };
  for (let n = 0; n < 20; n++) await post("P/issues", large).expect(201);
  await flood;
  await post("P/issues", large).expect(201);
  await get("P/issues?limit=1").expect(200);
  expect(web.child.exitCode).toBeNull();
});

test("long pages that one client requests and does not read affect neither the process nor other calls", {
  timeout: 120_000,
}, async () => {
  const [hostile, { get }] = [await world(), await at(await world())];
  const { owner, project } = hostile;
  for (let n = 0; n < 30; n++) {
    await owner.post("P/issues", { title: "x", description_md: "d".repeat(64 * KiB) }).expect(201);
  }
  const { key } = await hostile.keyFor(owner, { rateLimit: 1_000_000 });
  const line = `GET /v1/workspaces/${hostile.workspace.slug}/projects/${project.key}/issues?limit=100`;
  await open(150, `${head(line, { "X-Api-Key": key! })}\r\n\r\n`.repeat(6));
  for (let n = 0; n < 20; n++) await get("P/issues").expect(200);
  expect(web.child.exitCode).toBeNull();
});

test("reads of one tenant leave connections to those of others", { timeout: 60_000 }, async () => {
  const [slow, other] = [await at(await world()), await at(await world())];
  // So that all connections are open.
  await Promise.all(Array.from({ length: 30 }, () => slow.get("P/saved-views").expect(200)));
  await other.get("P/issues").expect(200);
  const release = await hold("lock table saved_view in access exclusive mode");
  const waiting = Array.from({ length: 80 }, () => slow.get("P/saved-views"));
  await sleep(1_000);
  const took: number[] = [];
  for (let n = 0; n < 10; n++) {
    const started = performance.now();
    await other.get("P/issues").expect(200);
    took.push(performance.now() - started);
  }
  await release();
  const replies = await Promise.all(waiting);
  // The slow ones wait for 900 ms each, ten at once if they may.
  expect(Math.max(...took), `${took.map(Math.round)} ms`).toBeLessThan(2_500);
  expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
});
