import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AgentEvent, Muster, MusterStreamClosed } from "../../clients/typescript/src/index.ts";
import { startWorker } from "../../src/start-worker.ts";
import { agentIn, sendFrames, storeFrames } from "../support/agent-stream.ts";
import { musterOf } from "../support/muster.ts";
import { startProcess } from "../support/process.ts";
import { world } from "../support/world.ts";

/** The number in each event that storeFrames() stores. */
const numberIn = (event: AgentEvent) => (event.data as unknown as { n: number }).n;

async function take<Item>(items: AsyncIterable<Item>, count: number, also: (item: Item) => unknown = () => {}) {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    await also(item);
    if (taken.length === count) break;
  }
  return taken;
}

describe("the stream of an agent", () => {
  test("brings what is assigned to it", async () => {
    const here = await world();
    const { stop } = await startWorker(here.app.config);
    onTestFinished(stop);
    const { id, client } = await agentIn(here);
    const since = new Date().toISOString();
    const created = (await here.owner.post("P/issues", { title: "Do it", assignee: id }).expect(201)).data;
    const [event] = await take((await musterOf(client)).agentEvents.listen({ since }), 1);
    // A type narrows the data.
    if (event?.type !== "issue.assigned") return expect.fail(event?.type);
    expect([event.data.key, event.context.assigned_by]).toEqual([created.key, here.owner.userId]);
  });

  test("misses nothing and repeats nothing while the service is killed and started again", {
    timeout: 60_000,
  }, async () => {
    const here = await world();
    const agent = await agentIn(here);
    const first = await startProcess("web", here.app.config);
    const muster = await musterOf(agent.client, { url: first.url, workspace: here.workspace.slug });
    // A stream that listens may not yet have said from where it reads.
    const stream = muster.agentEvents.listen({ since: new Date().toISOString() });
    let second: typeof first | undefined;
    onTestFinished(async () => second?.kill());
    const seen: number[] = [];
    const reading = take(stream, 30, async (event) => {
      seen.push(numberIn(event));
      if (seen.length !== 10) return;
      await first.kill();
      await storeFrames(here, agent.id, [11, 12, 13, 14, 15]);
      second = await startProcess("web", here.app.config, { PORT: new URL(first.url).port });
      await sendFrames(here, agent.id, range(16, 30));
    });
    await expect.poll(() => isListening(here, agent.id)).toBe(true);
    await sendFrames(here, agent.id, range(1, 10));
    // What came is shown if it is not all.
    await expect
      .poll(() => [seen, second ? "restarted" : "killed"], { timeout: 45_000 })
      .toEqual([range(1, 30), "restarted"]);
    await reading;
  });

  test("another process goes on after the last event that was handled", async () => {
    const here = await world();
    const agent = await agentIn(here);
    const muster = await musterOf(agent.client);
    const since = new Date().toISOString();
    await storeFrames(here, agent.id, range(1, 5));
    const stream = muster.agentEvents.listen({ since });
    // The loop is left while it handles the third event, which therefore comes again.
    await take(stream, 3);
    const rest = await take(muster.agentEvents.listen({ lastEventId: stream.lastEventId! }), 3);
    expect(rest.map(numberIn)).toEqual([3, 4, 5]);
  });

  test("ends with the reason when the key is revoked", async () => {
    const here = await world();
    const { client } = await agentIn(here);
    const { data: me } = await client.get("/v1/me").expect(200);
    const stream = (await musterOf(client)).agentEvents.listen();
    const ended = take(stream, 1).catch((error: unknown) => error);
    await expect.poll(() => isListening(here, client.userId)).toBe(true);
    const { stop } = await startWorker(here.app.config);
    onTestFinished(stop);
    await here.owner.delete(`W/api-keys/${me.keyId}`).expect(200);
    const error = await ended;
    expect(error).toBeInstanceOf(MusterStreamClosed);
    expect(error).toMatchObject({ reason: "key_revoked" });
  });

  test("is refused to people", async () => {
    const stream = (await musterOf((await world()).owner)).agentEvents.listen();
    await expect(take(stream, 1)).rejects.toMatchObject({ status: 403, code: "agent_key_required" });
  });

  test("ends with the signal's reason", async () => {
    const here = await world();
    const { client } = await agentIn(here);
    const abort = new AbortController();
    const ended = take((await musterOf(client)).agentEvents.listen({ signal: abort.signal }), 1);
    const refused = expect(ended).rejects.toThrow("no longer needed");
    await expect.poll(() => isListening(here, client.userId)).toBe(true);
    abort.abort(new Error("no longer needed"));
    await refused;
    await expect.poll(() => isListening(here, client.userId)).toBe(false);
  });
});

test("the stream of a channel has messages and their parts", async () => {
  const here = await world();
  const muster = await musterOf(here.owner);
  const { id } = await muster.chatChannels.create({ name: "Releases" });
  const events = await take(muster.chatMessages.listen(id), 3, async ({ type }) => {
    if (type !== "stream.ready") return;
    const { message_id } = await muster.chatMessages.stream(id, { delta: "It " });
    await muster.chatMessages.stream(id, { message_id, seq: 1, delta: "is out.", done: true });
  });
  expect(events.map(({ type }) => type)).toEqual(["stream.ready", "chat.message.created", "chat.message.delta"]);
});

describe("connections", () => {
  type Serve = (reply: ServerResponse, headers: Record<string, unknown>, url: string) => void;

  /** A service that serves each connection as the test says. */
  async function serving(...serve: Serve[]) {
    const asked: { headers: Record<string, unknown>; url: string; at: number }[] = [];
    const server = createServer(({ headers, url = "" }, reply) => {
      asked.push({ headers, url, at: performance.now() });
      if (serve.length === 0) return void reply.writeHead(403).end("{}");
      serve.shift()!(reply, headers, url);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { asked, muster: new Muster({ url, key: "ak_test", workspace: "acme" }) };
  }

  const open = (reply: ServerResponse, ...frames: string[]) => {
    reply.writeHead(200, { "content-type": "text/event-stream" });
    reply.write(`retry: 20\n\n${frames.join("")}`);
    return reply;
  };
  const ready = 'event: stream.ready\ndata: {"server_time":"2026-01-15T09:30:00.000Z"}\n\n';
  const frame = (n: number) => `id: id-${n}\nevent: agent.wake\ndata: {"id":"id-${n}","data":{"n":${n}}}\n\n`;

  test("one that is silent counts as dead", async () => {
    const { asked, muster } = await serving(
      (reply) => void open(reply, ready, frame(1)),
      (reply) => void open(reply, ready, frame(1), frame(2)),
    );
    const events = await take(muster.agentEvents.listen({ silenceMs: 200 }), 2);
    expect(events.map(numberIn)).toEqual([1, 2]);
    expect(asked[1]!.headers["last-event-id"]).toBe("id-1");
    expect(asked[1]!.at - asked[0]!.at).toBeGreaterThanOrEqual(190);
  });

  test("before the first event the time of the first connection counts", async () => {
    const { asked, muster } = await serving(
      (reply) => void open(reply, ready).end(),
      (reply) => void open(reply, frame(1)),
    );
    await take(muster.agentEvents.listen(), 1);
    expect(asked[1]!.headers["last-event-id"]).toBeUndefined();
    expect(decodeURIComponent(asked[1]!.url)).toContain("since=2026-01-15T09:30:00.000Z");
  });

  test.each(["stream.closing", "stream.closed"])("%s: it connects again", async (name) => {
    const end = `event: ${name}\ndata: {"reason":"too_slow","last_event_id":"id-1"}\n\n`;
    const { asked, muster } = await serving(
      (reply) => void open(reply, ready, frame(1), end),
      (reply) => void open(reply, ready, frame(2)),
    );
    expect((await take(muster.agentEvents.listen(), 2)).map(numberIn)).toEqual([1, 2]);
    expect(asked[1]!.headers["last-event-id"]).toBe("id-1");
  });

  test("a frame that cannot be read is asked for again", async () => {
    const { asked, muster } = await serving(
      (reply) => void open(reply, ready, frame(1), 'id: id-2\nevent: agent.wake\ndata: {"id":"id\n\n'),
      (reply) => void open(reply, ready, frame(2)),
    );
    expect((await take(muster.agentEvents.listen(), 2)).map(numberIn)).toEqual([1, 2]);
    expect(asked[1]!.headers["last-event-id"]).toBe("id-1");
  });

  test("a refusal that never ends does not hold the stream", async () => {
    const { muster } = await serving(
      (reply) => void reply.writeHead(503).write("{"),
      (reply) => void open(reply, ready, frame(1)),
    );
    expect((await take(muster.agentEvents.listen({ silenceMs: 200 }), 1)).map(numberIn)).toEqual([1]);
  });

  test("a refusal for years is asked again after a quarter of an hour", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: number[] = [];
    const refusing: typeof fetch = async () => {
      const isFirst = asked.push(Date.now()) === 1;
      return new Response("{}", isFirst ? { status: 503, headers: { "retry-after": "99999999" } } : { status: 403 });
    };
    const muster = new Muster({ url: "http://muster.test", key: "ak_test", workspace: "acme", fetch: refusing });
    const ended = expect(take(muster.agentEvents.listen(), 1)).rejects.toMatchObject({ status: 403 });
    await vi.advanceTimersByTimeAsync(16 * 60_000);
    await ended;
    expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(900_000);
  });

  test("what may be missing is told, but not after a day in which nothing happened", async () => {
    const readyAt = (time: string, more: object) =>
      `event: stream.ready\ndata: ${JSON.stringify({ server_time: `2026-01-${time}:00.000Z`, ...more })}\n\n`;
    let gaps = 0;
    const { muster } = await serving(
      (reply) => void open(reply, readyAt("15T09:30", { gap: true }), frame(1)).end(),
      (reply) => void open(reply, readyAt("16T09:00", {})).end(),
      (reply) => void open(reply, readyAt("16T10:00", { gap: true }), frame(2)).end(),
      (reply) => void open(reply, readyAt("18T10:00", { gap: true }), frame(3)),
    );
    const seen: number[] = [];
    const stream = muster.agentEvents.listen({ lastEventId: "old", onGap: () => gaps++ });
    await take(stream, 3, () => seen.push(gaps));
    expect(seen).toEqual([1, 1, 2]);
  });

  test("a refusal that passes is waited for, and others end the loop", async () => {
    const { asked, muster } = await serving(
      (reply) => void reply.writeHead(429, { "retry-after": "1" }).end("{}"),
      (reply) => void reply.writeHead(503).end(),
      (reply) => void open(reply, ready, frame(1)).end(),
    );
    const events: number[] = [];
    const walk = async () => {
      for await (const event of muster.agentEvents.listen()) events.push(numberIn(event));
    };
    await expect(walk()).rejects.toMatchObject({ status: 403 });
    expect(events).toEqual([1]);
    expect(asked[1]!.at - asked[0]!.at).toBeGreaterThanOrEqual(990);
  });
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

async function isListening(here: Awaited<ReturnType<typeof world>>, agentId: string): Promise<boolean> {
  return (await here.owner.get(`W/agents/${agentId}`).expect(200)).data.online;
}
