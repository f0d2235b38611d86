import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, inject, test } from "vitest";
import type { Background } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { openProducer } from "../../src/queues/producer.ts";
import { openTurns } from "../../src/queues/turns.ts";
import { startWorker } from "../../src/start-worker.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { queues } from "../../src/workers/index.ts";
import { startWorkers } from "../../src/workers/run.ts";
import { NotNow, serve } from "../../src/workers/worker.ts";
import { issue, start, workflow } from "../automation/flows.ts";
import { world } from "../support/world.ts";

/** A workspace with very much work does not delay the work of others. */

test("the turns of workspaces: the first job of each comes before the second of any", () => {
  const turns = openTurns();
  expect([1, 2, 3].map(() => turns.next("a", 1))).toEqual([0, 1, 2]);
  expect(["b", "b", "c"].map((id) => turns.next(id, 1))).toEqual([0, 1, 0]);
  turns.began(2);
  expect(["b", "a", "d", "d"].map((id) => turns.next(id, 20))).toEqual([2, 3, 2, 22]);
  expect([turns.next(null, 1), turns.next(null, 1)]).toEqual([2, 2]);
  turns.drained();
  expect(turns.next("a", 1)).toBe(2);
  turns.began(2_000_000);
  turns.drained();
  expect(turns.next("a", 1)).toBe(0);
});

const ofWorkspaces = queues.filter((queue) => queue.repeat === null && queue !== deliverWebhook);
const FLOOD = 300;
const ids = (name: string, workspace_id: string) => {
  const queue = queues.find((one) => one.name === name)!;
  const fields = Object.keys((queue.payload as unknown as { shape: object }).shape);
  return {
    workspace_id,
    ...(fields.includes("event_ids") ? { event_ids: [newId()] } : { event_id: newId() }),
  };
};

test.each(ofWorkspaces.map((queue) => [queue.name, queue] as const))(
  "%s: jobs of another workspace run among hundreds of one, which never takes all slots",
  async (name, declared) => {
    const connection = new Redis(inject("stack").redisUrl, { maxRetriesPerRequest: null }).on("error", () => {});
    const onError = (error: Error) => expect.soft(error).toBeNull();
    const options = { connection, prefix: `fair-${process.pid}`, onError };
    const producer = openProducer([name], options);
    const [many, few] = [newId(), newId()];
    // Without events of its own, the queue stores nothing.
    const queue = { ...declared, on: [] };
    const jobsOf = (workspace: string, count: number) =>
      Array.from({ length: count }, () => ({ id: newId(), payload: ids(name, workspace) }));
    const running = new Map<string, number>();
    let most = 0;
    const done: string[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: onError };
    const workers = startWorkers(
      [
        serve(queue, async (_, payload) => {
          const { workspace_id } = payload as { workspace_id: string };
          running.set(workspace_id, (running.get(workspace_id) ?? 0) + 1);
          most = Math.max(most, running.get(many) ?? 0);
          await sleep(60);
          running.set(workspace_id, running.get(workspace_id)! - 1);
          done.push(workspace_id);
          // A job whose turn is over goes behind the jobs of others.
          if (workspace_id === many) throw new NotNow("the turn is over", 0);
          return {};
        }),
      ],
      {
        ...options,
        ...{ producer, queues: [queue], processId: "", livedSince: () => true, concurrency: {}, log },
        context: () => ({ log }) as unknown as Background,
        isUnavailable: () => false,
      },
    );
    try {
      await producer.add(queue, jobsOf(many, FLOOD));
      await expect.poll(() => done.length, { interval: 10 }).toBeGreaterThan(2);
      const began = performance.now();
      await producer.add(queue, jobsOf(few, 3));
      const isDone = () => done.filter((id) => id === few).length === 3;
      await expect.poll(isDone, { interval: 10, timeout: 10_000 }).toBe(true);
      expect(performance.now() - began).toBeLessThan(2_000);
      expect(most).toBeLessThan(declared.concurrency);
      expect(most).toBeGreaterThan(0);
    } finally {
      await workers.stop(0);
      await producer.open(queue).obliterate({ force: true });
      await producer.close();
      connection.disconnect();
    }
  },
);

const RUNS = 21;
const STAGES = 40;
const ACTIONS = 10;

test("a workflow's action does not wait for thousands of actions of another workspace", async () => {
  const [many, few] = [await world(), await world()];
  const actions = Array.from({ length: ACTIONS }, () => ({ type: "add_comment", comment: "x" }));
  const stages = Array.from({ length: STAGES }, (_, n) => ({ id: `s${n}`, kind: "action", config: { actions } }));
  const edges = stages.map(({ id }, n) => [n === 0 ? "start" : `s${n - 1}`, id] as const);
  const large = await workflow(
    many,
    [...stages, { id: "end", kind: "end" }],
    [...edges, [`s${STAGES - 1}`, "end"] as const],
  );
  const small = await workflow(
    few,
    [
      { id: "ask", kind: "person", config: { role: "member" } },
      { id: "act", kind: "action", config: { actions: actions.slice(0, 1) } },
      { id: "end", kind: "end" },
    ],
    [["start", "ask"] as const, ["ask", "act"] as const, ["act", "end"] as const],
  );
  const mine = await start(few, (await issue(few)).key, small);
  for (let n = 0; n < RUNS; n++) await start(many, (await issue(many)).key, large);
  const worker = await startWorker(many.app.config);
  try {
    const taken = async () =>
      (
        await many.sql<{ n: number }>("select count(*)::int as n from comment where workspace_id = $1", [
          many.workspace.id,
        ])
      )[0]!.n;
    await expect.poll(taken, { interval: 50, timeout: 30_000 }).toBeGreaterThan(RUNS * 2);
    const before = await taken();
    await few.owner.post(`W/workflow-runs/${mine.id}/complete-stage`, {}).expect(200);
    const status = async () => (await few.owner.get(`W/workflow-runs/${mine.id}`).expect(200)).data.status;
    await expect.poll(status, { interval: 20, timeout: 30_000 }).toBe("completed");
    // Less than a second's work of an idle machine, and far less than what is left.
    expect((await taken()) - before).toBeLessThan(100);
    expect(before).toBeLessThan((RUNS * STAGES * ACTIONS) / 2);
  } finally {
    await worker.stop();
  }
}, 60_000);
