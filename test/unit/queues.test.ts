import { describe, expect, test } from "vitest";
import { z } from "zod";
import { queues } from "../../src/queues/index.ts";
import { defineQueue, id, seconds, waitAfter } from "../../src/queues/queue.ts";
import { openFairShare } from "../../src/workers/delivery/fair-share.ts";
import { workers } from "../../src/workers/index.ts";
import { pairUp, worker } from "../../src/workers/worker.ts";

const queueOf = (name: string) => defineQueue(name, { payload: z.object({}), retry: seconds(1, 5), concurrency: 1 });
const idle = async () => undefined;

describe("queues and workers", () => {
  const mail = queueOf("mail");
  const reports = queueOf("reports");

  test("each queue has exactly one worker", () => {
    expect(pairUp(queues, workers)).toHaveLength(queues.length);
    expect(() => pairUp([mail, reports], [worker(mail, idle)])).toThrow("the queue reports has no worker");
    expect(() => pairUp([mail], [worker(mail, idle), worker(mail, idle)])).toThrow("mail has more than one worker");
    expect(() => pairUp([mail], [worker(mail, idle), worker(reports, idle)])).toThrow("reports, which is no queue");
    expect(() => pairUp([mail, mail], [worker(mail, idle)])).toThrow("the queue mail is declared twice");
  });

  test("a process may serve some of them", () => {
    const both = [worker(mail, idle), worker(reports, idle)];
    expect(pairUp([mail, reports], both, ["mail"]).map(({ queue }) => queue.name)).toEqual(["mail"]);
    expect(() => pairUp([mail, reports], both, ["mial"])).toThrow("WORKER_QUEUES names mial, which is no queue");
  });

  test("payloads are ids, with the workspace's among them unless the clock adds the jobs", () => {
    for (const { name, payload, repeat } of queues) {
      const fields = Object.keys(payload.shape);
      expect(fields.filter((field) => !field.endsWith("_id"))).toEqual([]);
      expect(fields.includes("workspace_id"), name).toBe(repeat === null);
    }
  });

  test("a payload with anything else is refused", () => {
    const queue = defineQueue("x", { payload: z.object({ workspace_id: id }), retry: [], concurrency: 1 });
    const workspace_id = "0199aaaa-0000-7000-8000-000000000000";
    expect(queue.payload.safeParse({ workspace_id }).success).toBe(true);
    expect(queue.payload.safeParse({ workspace_id, token: "secret" }).success).toBe(false);
    expect(queue.payload.safeParse({}).success).toBe(false);
  });

  test("waits follow the declaration, the last one repeats", () => {
    expect([1, 2, 3, 9].map((made) => waitAfter(mail, made))).toEqual([1000, 5000, 5000, 5000]);
    expect(waitAfter(defineQueue("y", { payload: z.object({}), retry: [], concurrency: 1 }), 1)).toBe(0);
  });
});

test("places are shared: one workspace gets half, each further one half of what is free", () => {
  const share = openFairShare(12);
  const fill = (workspace: string) => {
    const given = [];
    for (let leave = share.enter(workspace); leave; leave = share.enter(workspace)) given.push(leave);
    return given;
  };
  const first = fill("a");
  expect(first).toHaveLength(6);
  expect(fill("b")).toHaveLength(3);
  expect(fill("a")).toHaveLength(0);
  for (const leave of first) leave();
  expect(fill("c")).toHaveLength(5);

  // Whoever has more than it would get now makes room.
  expect(["a", "b", "c"].map(share.crowded)).toEqual([false, false, false]);
  expect(fill("b")).toHaveLength(1);
  expect(["a", "b", "c"].map(share.crowded)).toEqual([false, false, true]);

  const single = openFairShare(1);
  expect(["a", "a"].map((workspace) => single.enter(workspace) !== null)).toEqual([true, false]);
  expect(single.crowded("a")).toBe(true);
});
