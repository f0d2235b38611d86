import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { startWorker } from "../../src/start-worker.ts";
import { configure } from "../support/app.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** The order in which a receiver gets messages, and how it can tell when there is none. */

configure({ WEBHOOK_RETRY_SECONDS: "1" });

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

async function listening(): Promise<{ here: World; there: Receiver }> {
  const here = await world();
  const there = await startReceiver();
  cleanup.push(there.stop);
  await addWebhook(here, { url: there.url, event_types: ["issue.*"] });
  return { here, there };
}

async function workers(here: World, count: number): Promise<void> {
  const started = await Promise.all(Array.from({ length: count }, () => startWorker(here.app.config)));
  for (const worker of started) cleanup.push(worker.stop);
}

/** Answers after a time of its own choice, so that whatever is sent together ends in any order. */
const soonOrLater = (most: number) => (_: IncomingMessage, response: ServerResponse) =>
  setTimeout(() => response.writeHead(204).end(), Math.random() * most);

const sequences = (requests: readonly Received[]): number[] => requests.map(({ json }) => json.sequence);
const rising = (numbers: readonly number[]) => numbers.every((number, at) => at === 0 || number > numbers[at - 1]!);

/** An endpoint keeps up while fewer than 50 messages wait for it and none has waited for two seconds. */
const CALLERS = 20;
const keptUp = (requests: readonly Received[]) =>
  requests.every(({ at, json }) => at - Date.parse(json.timestamp) < 1_500);

test("an endpoint that keeps up gets messages in the order of their events and of sequence", async () => {
  // On a busy machine the endpoint may fall behind through no fault of the workers; then the test begins again.
  for (let attempt = 1; ; attempt++) {
    const { here, there } = await listening();
    there.answers(soonOrLater(10));
    await workers(here, 2);
    // Many callers at once: new issues, and changes of one issue that wait for each other.
    const { data: shared } = await here.owner.post("P/issues", { title: "Shared" }).expect(201);
    await Promise.all(
      Array.from({ length: CALLERS }, async (_, n) => {
        await here.owner.post("P/issues", { title: `Issue ${n}` }).expect(201);
        await here.owner.patch(`P/issues/${shared.key}`, { title: `Shared ${n}` }).expect(200);
      }),
    );
    await there.waitFor(2 * CALLERS + 1, { timeoutMs: 15_000 });

    const told = there.requests;
    const versions = told.filter(({ json }) => json.data.id === shared.id).map(({ json }) => json.data.version);
    expect(versions).toHaveLength(CALLERS + 1);
    expect(rising(versions)).toBe(true);
    if (!keptUp(told) && attempt < 5) continue;
    expect(rising(sequences(told)), `attempt ${attempt}`).toBe(true);
    return;
  }
});

test("an endpoint that does not keep up gets several at a time, in order for each object", async () => {
  const { here, there } = await listening();
  let [now, most] = [0, 0];
  there.answers((request, response) => {
    most = Math.max(most, ++now);
    response.on("close", () => now--);
    soonOrLater(40)(request, response);
  });
  const things = Array.from({ length: 30 }, (_, n) => ({ id: `thing ${n}` }));
  for (let round = 0; round < 10; round++) {
    for (const data of things) await emit(here, "issue.updated", { data });
  }
  await workers(here, 2);
  await there.waitFor(300, { timeoutMs: 20_000 });
  expect(most).toBeGreaterThan(5);
  expect(most).toBeLessThanOrEqual(10);
  for (const { id } of things) {
    const about = there.requests.filter(({ json }) => json.data.id === id);
    expect(about).toHaveLength(10);
    expect(rising(sequences(about))).toBe(true);
  }
});

test("a failed message is retried with its original sequence, and a test has none", async () => {
  const { here, there } = await listening();
  await workers(here, 1);
  there.answers(500, 204);
  await emit(here, "issue.created", { count: 3 });
  await there.waitFor(4, { timeoutMs: 10_000 });
  expect(sequences(there.requests)).toEqual([1, 2, 3, 1]);

  const [hook] = (await here.owner.get("W/webhooks").expect(200)).data;
  const attempts = (await here.owner.get(`W/webhooks/${hook.id}/deliveries`).expect(200)).data;
  expect(attempts.map(({ request_body }: { request_body: string }) => JSON.parse(request_body).sequence)).toEqual([
    1, 3, 2, 1,
  ]);
  const { data } = await here.owner.post(`W/webhooks/${hook.id}/test`).expect(202);
  expect(JSON.parse(data.request_body).sequence).toBeNull();
});
