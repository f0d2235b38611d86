import { expect, test } from "vitest";
import { z } from "zod";
import { defineQueue, id } from "../../src/queues/queue.ts";
import { openTaking } from "../../src/workers/events/relay.sql.ts";
import { world } from "../support/world.ts";

/** Jobs for events are created only in workspaces with listeners. */

const queueFor = (name: string, listeners: string) =>
  defineQueue(name, {
    on: ["label.created"],
    listeners,
    payload: z.object({ workspace_id: id, event_id: id }),
    retry: [],
    concurrency: 1,
  });

test("an event creates a job in each queue with a listener in its workspace, and no row for the others", async () => {
  const { app, owner, workspace, sql } = await world();
  await owner.post("P/labels", { name: "bug" }).expect(201);
  const queues = [
    queueFor("always", "true"),
    queueFor("listening", "exists (select from project p where p.workspace_id = $1)"),
    queueFor("deaf", "exists (select from webhook w where w.workspace_id = $1)"),
  ];
  const taking = openTaking(queues, { limit: 100, patienceMs: 60_000 });
  const taken = await taking.take(app.resources.database, workspace.id);
  expect(taken.events).toBe(1);
  expect(taken.owed.map(({ queue }) => queue).sort()).toEqual(["always", "listening"]);
  const rows = await sql<{ queue: string }>("select queue from reaction where workspace_id = $1", [workspace.id]);
  expect(rows.map(({ queue }) => queue).sort()).toEqual(["always", "listening"]);
});
