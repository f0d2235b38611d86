import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { QUEUE_FILES, QUEUE_NAMES } from "../../src/queues/index.ts";
import { defineQueue, id, seconds, waitAfter } from "../../src/queues/queue.ts";
import { openFairShare } from "../../src/workers/fair-share.ts";
import { load, queues } from "../../src/workers/index.ts";

const queueOf = (name: string) => defineQueue(name, { payload: z.object({}), retry: seconds(1, 5), concurrency: 1 });

describe("queues and workers", () => {
  const mail = queueOf("mail");

  test("each file of workers that serves a queue is listed, and a list that names another one ends the start", async () => {
    const folder = new URL("../../src/workers/", import.meta.url);
    const serving = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter(
        (file) => file.endsWith(".ts") && /^export const worker = /m.test(readFileSync(new URL(file, folder), "utf8")),
      )
      .map((file) => file.slice(0, -".ts".length));
    expect(serving.sort()).toEqual([...QUEUE_FILES].sort());
    expect(queues.map(({ name }) => name)).toEqual(QUEUE_NAMES);
    expect(new Set(QUEUE_NAMES).size).toBe(QUEUE_NAMES.length);

    await expect(load("delivery/none")).rejects.toThrow();
    await expect(load("fair-share")).rejects.toThrow("fair-share.ts exports no `worker`");
  });

  test("payloads are ids, with the workspace's among them unless the clock adds the jobs", () => {
    for (const { name, payload, repeat } of queues) {
      const fields = Object.keys((payload as z.ZodObject).shape);
      expect(fields.filter((field) => !/_ids?$/.test(field))).toEqual([]);
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

test("slots are shared: one workspace gets half, each further one half of what is free", () => {
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

  // A workspace that has more than it would get now makes room.
  expect(["a", "b", "c"].map(share.crowded)).toEqual([false, false, false]);
  expect(fill("b")).toHaveLength(1);
  expect(["a", "b", "c"].map(share.crowded)).toEqual([false, false, true]);

  const single = openFairShare(1);
  expect(["a", "a"].map((workspace) => single.enter(workspace) !== null)).toEqual([true, false]);
  expect(single.crowded("a")).toBe(true);
});
