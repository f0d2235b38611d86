import { expect, test } from "vitest";
import { backgroundOf, write } from "../../src/domain/events/background.ts";
import { world } from "../support/world.ts";

/** Work after the commit, and messages between processes. */

test("work after the commit runs once the change is visible to others, and never without a commit", async () => {
  const { app, workspace, sql } = await world();
  const ctx = backgroundOf(app.resources, new Date().toISOString());
  const seen: string[] = [];
  const rename = (name: string) =>
    write(ctx, workspace.id, async (writing) => {
      await writing.tx.query({ text: "update workspace set name = $2 where id = $1" }, [workspace.id, name]);
      writing.afterCommit(() => seen.push(name));
      if (name === "refused") throw new Error("refused");
    });
  await expect(rename("refused")).rejects.toThrow("refused");
  await rename("renamed");
  expect(seen).toEqual(["renamed"]);
  expect(await sql("select name from workspace where id = $1", [workspace.id])).toEqual([{ name: "renamed" }]);
});

test("a transaction that runs again runs its afterCommit work once", async () => {
  const { app, workspace } = await world();
  const ctx = backgroundOf(app.resources, new Date().toISOString());
  let runs = 0;
  let done = 0;
  await write(ctx, workspace.id, async (writing) => {
    writing.afterCommit(() => done++);
    // Postgres' SQLSTATE of a deadlock.
    if (runs++ === 0) await writing.tx.query({ text: "do $$ begin raise exception sqlstate '40P01'; end $$" });
  });
  expect({ runs, done }).toEqual({ runs: 2, done: 1 });
});

test("messages reach the subscribers of their channel, until they unsubscribe", async () => {
  const { ports } = (await world()).app.resources;
  const heard: string[] = [];
  const stop = ports.subscribe("news", (message) => heard.push(message));
  ports.subscribe("other", () => heard.push("wrong"));
  await expect
    .poll(() => {
      ports.publish("news", "one");
      return heard.includes("one");
    })
    .toBe(true);
  stop();
  await new Promise((over) => setTimeout(over, 100));
  heard.length = 0;
  ports.publish("news", "two");
  await new Promise((over) => setTimeout(over, 100));
  expect(heard).toEqual([]);
});
