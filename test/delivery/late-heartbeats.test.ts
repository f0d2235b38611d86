import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type DeliveryHost, deliverDue } from "../../src/domain/delivery/webhooks/deliver-due.ts";
import { type Background, backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { LIVENESS_MS, renewLiveness } from "../../src/domain/kernel/liveness.sql.ts";
import type { Database } from "../../src/domain/kernel/ports/ports.ts";
import { openLiveness } from "../../src/workers/delivery/heartbeat.ts";
import { startReceiver } from "../support/receiver.ts";
import { addWebhook, emit } from "../support/webhooks.ts";
import { type World, world } from "../support/world.ts";

/** Webhooks are delivered here without a worker, so that each heartbeat and each step comes at a chosen time. */

test("a heartbeat that was stored late confirms no lease that another process has taken over", async () => {
  const here = await world();
  const { receiver, job } = await dueMessages(here, 3);
  const { database } = here.app.resources;
  const [late, other] = [newId(), newId()];
  const beats = beatRegularly(database, other);
  // Others may take over once a process has sent heartbeats for a second without a break.
  await sleep(1_200);
  let answer = () => {};
  receiver.answers((_, response) => {
    answer = () => response.writeHead(204).end();
  }, 204);
  const liveness = openLiveness(() => performance.now());
  await renewLiveness(database, late);
  liveness.stored(performance.now());
  const delivering = deliverDue(context(here), job, hostOf(late, liveness.livedSince));
  try {
    await receiver.waitFor(1);
    await sleep(300);
    const sentAt = performance.now();
    // Steps go on while the heartbeat is on its way.
    const takenOver = async () => {
      await deliverDue(
        context(here),
        job,
        hostOf(other, () => true),
      );
      return receiver.requests.length;
    };
    await expect.poll(takenOver, { timeout: 5_000, interval: 10 }).toBe(4);
    await renewLiveness(database, late);
    liveness.stored(sentAt);
    answer();
    await delivering;
    expect(receiver.requests).toHaveLength(4);
  } finally {
    beats.stop();
    await receiver.stop();
  }
});

test("a process whose statements take longer than others wait still delivers while its heartbeats are in time", async () => {
  const here = await world();
  const { receiver, job } = await dueMessages(here, 2);
  const { database } = here.app.resources;
  const processId = newId();
  const liveness = openLiveness(() => performance.now());
  const beats = beatRegularly(database, processId, liveness.stored);
  await sleep(100);
  const slow = {
    query: async (...query: Parameters<Database["query"]>) => {
      await sleep(LIVENESS_MS + 100);
      return database.query(...query);
    },
  };
  const stopping = { aborted: false };
  const delivering = deliverDue({ ...context(here), db: slow } as Background, job, {
    ...hostOf(processId, liveness.livedSince),
    stopping,
  });
  try {
    await receiver.waitFor(2, { timeoutMs: 15_000 });
  } finally {
    stopping.aborted = true;
    await delivering;
    beats.stop();
    await receiver.stop();
  }
}, 40_000);

test("a message whose large event was read too slowly is sent after the next step, and once", async () => {
  const here = await world();
  const { receiver, job } = await dueMessages(here, 1, { text: randomBytes(30_000).toString("base64") });
  const { database } = here.app.resources;
  const processId = newId();
  await renewLiveness(database, processId);
  // It is asked before the message is begun, after its event was read, and after each later step.
  const requestsAtAsking: number[] = [];
  const livedSince = () => requestsAtAsking.push(receiver.requests.length) !== 2;
  try {
    await deliverDue(context(here), job, hostOf(processId, livedSince));
    expect(requestsAtAsking.slice(0, 2)).toEqual([0, 0]);
    expect(receiver.requests).toHaveLength(1);
  } finally {
    await receiver.stop();
  }
});

const context = ({ app }: World) => backgroundOf(app.resources, new Date().toISOString());

function hostOf(processId: string, livedSince: DeliveryHost["livedSince"]): DeliveryHost {
  const nothing = () => {};
  const slots = { enter: () => null, crowded: () => false, stopping: { aborted: false } };
  return { processId, livedSince, ...slots, clock: () => performance.now(), onEnded: nothing, again: nothing };
}

/** Sends heartbeats of a process until it is stopped. */
function beatRegularly(database: Database, processId: string, stored: (sentAt: number) => void = () => {}) {
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const sentAt = performance.now();
      await renewLiveness(database, processId);
      stored(sentAt);
      await sleep(100);
    }
  };
  void run();
  return {
    stop() {
      isStopped = true;
    },
  };
}

/** A webhook with messages that are due. No worker runs, so only the test delivers them. */
async function dueMessages(here: World, count: number, data: object | null = null) {
  const receiver = await startReceiver();
  const hook = await addWebhook(here, { url: receiver.url });
  const ids = await emit(here, "label.created", { count, data: data && JSON.stringify(data) });
  await here.sql(
    `insert into webhook_delivery (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, sequence, created_at)
     select gen_random_uuid(), $1, $2, event_id, 'label.created', 1, 'pending', now(), n, now()
     from unnest($3::uuid[]) with ordinality as t(event_id, n)`,
    [here.workspace.id, hook.id, ids],
  );
  return { receiver, job: { workspace_id: here.workspace.id, webhook_id: hook.id } };
}
