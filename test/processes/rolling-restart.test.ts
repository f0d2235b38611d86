import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { app } from "../support/app.ts";
import { type Balancer, startBalancer } from "../support/balancer.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { type Process, startProcess } from "../support/process.ts";
import { type World, world } from "../support/world.ts";

/** Web processes that are stopped while requests come. Starting one may take a while on a busy machine. */

const SLOW = { timeout: 120_000 };

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function startWeb(drainSeconds: number, port?: number): Promise<Process> {
  const { config } = await app();
  const started = await startProcess("web", config, {
    DRAIN_SECONDS: String(drainSeconds),
    ...(port ? { PORT: String(port) } : {}),
  });
  cleanUps.push(() => started.kill());
  return started;
}

/** Sends SIGTERM; answers when the process ended, with its exit code and the seconds it took. */
async function stop({ child }: Process): Promise<{ code: number | null; seconds: number }> {
  const began = performance.now();
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = await gone;
  return { code, seconds: (performance.now() - began) / 1000 };
}

type Answer = { status: number; connection: string | undefined };

/** One request. Rejects with what went wrong on the connection. */
function send(
  { owner, workspace }: World,
  url: string,
  options: { agent: Agent; post?: boolean; fresh?: boolean; chunks?: AsyncIterable<string> },
): Promise<Answer> {
  const path = options.post || options.chunks ? `/v1/workspaces/${workspace.slug}/projects/WEB/issues` : "/v1/me";
  const body = options.post ? JSON.stringify({ title: "While it restarts" }) : undefined;
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, {
      agent: options.agent,
      method: body || options.chunks ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${owner.key}`,
        ...(options.fresh ? { "x-upstream": "fresh" } : {}),
        ...(body ? { "content-length": body.length } : {}),
        ...(body || options.chunks ? { "content-type": "application/json" } : {}),
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      answer.on("error", reject);
      answer.resume().on("end", () => {
        resolve({ status: answer.statusCode!, connection: answer.headers.connection });
      });
    });
    if (options.chunks) writeSlowly(outgoing, options.chunks).catch(reject);
    else outgoing.end(body);
  });
}

async function writeSlowly(outgoing: { write(text: string): unknown; end(): unknown }, chunks: AsyncIterable<string>) {
  for await (const chunk of chunks) outgoing.write(chunk);
  outgoing.end();
}

/** Clients that send one request after another, with pauses, until told to end; answers how many were answered how. */
function clients(here: World, url: string, count: number, until: AbortSignal, fresh: (client: number) => boolean) {
  const outcomes: Record<string, number> = {};
  const one = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!until.aborted) {
      const post = Math.random() < 0.4;
      const outcome = await send(here, url, { agent, post, fresh: fresh(client) }).then(
        ({ status }) => `${post ? "POST" : "GET"} ${status}`,
        (error) => error.code as string,
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await sleep(20 + Math.random() * 150);
    }
    agent.destroy();
  };
  return Promise.all(Array.from({ length: count }, (_, client) => one(client))).then(() => outcomes);
}

/** Ends with its test, however that ends. */
function ended(): AbortController {
  const over = new AbortController();
  cleanUps.push(async () => over.abort());
  return over;
}

test("no request fails while two web processes behind a balancer are restarted in turn", {
  timeout: 120_000,
}, async () => {
  const here = await world();
  const processes = await Promise.all([startWeb(3), startWeb(3)]);
  const balancer: Balancer = await startBalancer(processes.map(({ url }) => url));
  cleanUps.push(() => balancer.stop());
  for (const { url } of processes) await balancer.ready(url);

  const over = ended();
  const load = clients(here, balancer.url, 10, over.signal, (client) => client % 2 === 0);
  await sleep(500);
  for (const old of processes) {
    expect(await stop(old)).toMatchObject({ code: 0 });
    await startWeb(3, Number(new URL(old.url).port));
    await balancer.ready(old.url);
    // Both serve again before the other one is stopped.
    const served = balancer.served(old.url);
    await expect.poll(() => balancer.served(old.url)).toBeGreaterThan(served + 10);
  }
  over.abort();
  const outcomes = await load;
  expect(balancer.failures).toEqual([]);
  expect(Object.keys(outcomes).toSorted()).toEqual(["GET 200", "POST 201"]);
  expect(outcomes["GET 200"]! + outcomes["POST 201"]!).toBeGreaterThan(300);
});

test("clients without a balancer are served on kept and on new connections until the port closes", SLOW, async () => {
  const here = await world();
  const web = await startWeb(3);
  const over = ended();
  const load = clients(here, web.url, 6, over.signal, () => false);
  await sleep(500);
  const stopping = stop(web);
  await sleep(2_500);
  over.abort();
  const outcomes = await load;
  expect(Object.keys(outcomes).toSorted()).toEqual(["GET 200", "POST 201"]);
  expect(await stopping).toMatchObject({ code: 0 });
});

test(
  "on SIGTERM /readyz answers 503 at once, and every answer asks the client to leave its connection",
  SLOW,
  async () => {
    const here = await world();
    const web = await startWeb(2);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await send(here, web.url, { agent })).toEqual({ status: 200, connection: "keep-alive" });
    const stopping = stop(web);
    await expect
      .poll(async () => (await fetch(`${web.url}/readyz`)).status, { interval: 20, timeout: 1_000 })
      .toBe(503);
    const reply = await fetch(`${web.url}/readyz`);
    expect(await reply.json()).toEqual({ status: "stopping", checks: {} });
    expect((await fetch(`${web.url}/healthz`)).status).toBe(200);
    expect(await send(here, web.url, { agent })).toEqual({ status: 200, connection: "close" });
    expect(await stopping).toMatchObject({ code: 0 });
    agent.destroy();
  },
);

test("a process does not wait for connections without a request", SLOW, async () => {
  const here = await world();
  const web = await startWeb(1);
  const agent = new Agent({ keepAlive: true });
  await send(here, web.url, { agent });
  const silent = await dial(web);
  const { code, seconds } = await stop(web);
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(4);
  expect(silent.readableEnded || silent.destroyed).toBe(true);
  agent.destroy();
});

test("a client that connected before the port closed is still answered", SLOW, async () => {
  const web = await startWeb(1);
  const stopping = stop(web);
  await sleep(850);
  const late = await dial(web);
  await sleep(600);
  await expect(dial(web)).rejects.toThrow("ECONNREFUSED");
  late.write("GET /healthz HTTP/1.1\r\nHost: muster\r\n\r\n");
  const [answer] = await once(late, "data");
  expect(String(answer)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  expect(await stopping).toMatchObject({ code: 0 });
});

test("a body that is being sent when the port closes is read to its end and gets a reply", SLOW, async () => {
  const here = await world();
  const web = await startWeb(1);
  async function* slowly() {
    yield '{"title":';
    for (let n = 0; n < 6; n++) {
      await sleep(500);
      yield n === 0 ? '"Slow' : " and slow";
    }
    yield '"}';
  }
  const posting = send(here, web.url, { agent: new Agent(), chunks: slowly() });
  await sleep(300);
  const stopping = stop(web);
  expect(await posting).toEqual({ status: 201, connection: "close" });
  expect(await stopping).toMatchObject({ code: 0 });
});

test("behind a Postgres that is frozen, a process ends with code 0 within its time", SLOW, async () => {
  const here = await world();
  const { config } = here.app;
  const proxy = await startCuttingProxy(config.DATABASE_URL);
  cleanUps.push(() => proxy.stop());
  const web = await startProcess("web", config, { DATABASE_URL: proxy.url, DRAIN_SECONDS: "0", STOP_SECONDS: "4" });
  cleanUps.push(() => web.kill());
  expect(await send(here, web.url, { agent: new Agent() })).toMatchObject({ status: 200 });
  proxy.freeze();
  const cut = send(here, web.url, { agent: new Agent() }).catch(({ code }) => code);
  await sleep(100);
  const { code, seconds } = await stop(web);
  expect({ code, output: web.output() }).toEqual({ code: 0, output: "" });
  expect(seconds).toBeLessThan(4);
  expect(await cut).toBe("ECONNRESET");
});

test("a rejection reaches a client that is still sending its body, although the connection closes", SLOW, async () => {
  const { app: running } = await world();
  const socket = connect(Number(new URL(running.baseUrl).port), "127.0.0.1");
  cleanUps.push(async () => socket.destroy());
  // As a client that sends all of its body before it reads: a reset would take the answer with it.
  socket.pause();
  const piece = Buffer.alloc(64 * 1024, 0x20);
  socket.write(
    `POST /v1/me HTTP/1.1\r\nHost: muster\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${16 * piece.length}\r\n\r\n`,
  );
  for (let n = 0; n < 16; n++) {
    await sleep(20);
    socket.write(piece);
  }
  expect(await text(socket)).toMatch(/^HTTP\/1.1 405 .*connection: close/is);
});

async function dial({ url }: Process): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  cleanUps.push(async () => socket.destroy());
  await once(socket, "connect");
  return socket;
}
