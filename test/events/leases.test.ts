import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { inMs, leasedRows } from "../../src/domain/kernel/leases.sql.ts";
import { workOn } from "../../src/domain/kernel/leases.ts";
import { endLiveness, LIVENESS_MS, renewLiveness } from "../../src/domain/kernel/liveness.sql.ts";
import type { Db } from "../../src/domain/kernel/ports/ports.ts";
import { app } from "../support/app.ts";

/** Rows that workers claim, on a table of the test's own. */

const tasks = leasedRows<{ id: string; tries: number }>({
  table: "task",
  key: "id",
  lease: "due_at",
  open: "not done",
  until: inMs("$2"),
  claiming: "tries = tries + 1",
  columns: "id, tries",
});
const taskDone = tasks.ending("done", {
  set: "done = true, result = $3",
  also: "update tally set done = done + (select count(*) from concluded)",
});
const taskAgain = tasks.ending("again", { set: "result = $3", due: inMs("$4") });
const taskGone = tasks.ending("gone", { delete: true });

/** The same table; a claim also ends with the process that has it. */
const runs = leasedRows<{ id: string }>({
  name: "run",
  table: "task",
  key: "id",
  lease: "due_at",
  process: "held_by",
  open: "not done",
  unclaimed: "due_at is null",
  until: inMs(60_000),
  columns: "id",
});
const runDone = runs.ending("done", { set: "done = true" });

/** The same table, of which workspaces take turns. */
const inTurns = leasedRows<{ id: string; workspace_id: string }>({
  name: "task_in_turns",
  table: "task",
  key: "id",
  lease: "due_at",
  open: "not done",
  until: inMs(60_000),
  turns: true,
  columns: "id, workspace_id",
});

const { database: db } = (await app()).resources;

beforeEach(async () => {
  await db.query({ text: "drop table if exists task, tally" });
  await db.query({
    text: `create table task (id uuid primary key, workspace_id uuid, due_at timestamptz(3), held_by uuid, tries int not null default 0,
                              done boolean not null default false, result text)`,
  });
  await db.query({ text: "create table tally as select 0 as done" });
});

// The column rounds to milliseconds, so that the present may be stored as a time that has not come yet.
async function add(count: number, due = "now() - interval '1 second'"): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const text = `insert into task (id, due_at) select id, ${due} from unnest($1::uuid[]) id`;
  await db.query({ text }, [ids]);
  return ids;
}

const LEASE_MS = 60_000;
const rowOf = async (id: string) => (await db.query({ text: "select * from task where id = $1" }, [id]))[0];
const lapse = () => db.query({ text: "update task set due_at = now() - interval '1 second'" });

/** A process that counts as alive until it is told to end. */
async function newProcess() {
  const id = newId();
  await renewLiveness(db, id);
  const beating = setInterval(() => void renewLiveness(db, id), 300);
  const freeze = () => clearInterval(beating);
  onTestFinished(freeze);
  const end = () => {
    freeze();
    return endLiveness(db, id);
  };
  return { id, freeze, end };
}

describe("a lease", () => {
  test("is given to one of many claimers, and every row is claimed", async () => {
    const ids = await add(200);
    const claims = await Promise.all(Array.from({ length: 40 }, () => tasks.claimDue(db, 10, LEASE_MS)));
    const claimed = claims.flat().map(({ id }) => id);
    expect(new Set(claimed).size).toBe(claimed.length);
    for (let more = [""]; more.length > 0; claimed.push(...more))
      more = (await tasks.claimDue(db, 50, LEASE_MS)).map(({ id }) => id);
    expect(claimed.toSorted()).toEqual(ids.toSorted());
    expect(await tasks.claim(db, ids[0]!, LEASE_MS)).toBeNull();
  });

  test("is not given before the row is due, and rows that have waited longest come first", async () => {
    const [later] = await add(1, "now() + interval '1 hour'");
    const [second] = await add(1, "now() - interval '1 minute'");
    const [first] = await add(1, "now() - interval '2 minutes'");
    await add(1, "null");
    const claims = await tasks.claimDue(db, 1, LEASE_MS);
    expect(claims.map(({ id }) => id)).toEqual([first]);
    expect((await tasks.claimDue(db, 9, LEASE_MS)).map(({ id }) => id)).toEqual([second]);
    expect(await tasks.claim(db, later!, LEASE_MS)).toBeNull();
    expect(await tasks.isOpen(db, later!)).toBe(true);
  });

  test("is given to workspaces in turns, and to no more rows than asked for", async () => {
    const [busy, quiet] = [newId(), newId()];
    const first = await add(40, "now() - interval '1 minute'");
    const second = await add(2);
    const owned = "update task set workspace_id = $1 where id = any($2::uuid[])";
    await db.query({ text: owned }, [busy, first]);
    await db.query({ text: owned }, [quiet, second]);
    const claims = await inTurns.claimDue(db, 10);
    expect(claims).toHaveLength(10);
    expect(claims.filter(({ workspace_id }) => workspace_id === quiet)).toHaveLength(2);
    expect(await inTurns.claimDue(db, 50)).toHaveLength(32);
  });

  test("that has ended is given again, and its late holder changes nothing", async () => {
    const [id] = await add(1);
    const late = (await tasks.claim(db, id!, 1))!;
    await sleep(5);
    const inTime = (await tasks.claim(db, id!, LEASE_MS))!;
    expect([late.tries, inTime.tries]).toEqual([1, 2]);

    expect(await taskDone(db, [late], "late")).toBe(0);
    expect(await taskAgain(db, [late], "late", 0)).toBe(0);
    expect(await taskGone(db, [late])).toBe(0);
    expect(await rowOf(id!)).toMatchObject({ done: false, result: null, due_at: inTime.lease_until });

    expect(await taskDone(db, [inTime], "in time")).toBe(1);
    expect(await rowOf(id!)).toMatchObject({ done: true, result: "in time", due_at: null });
    expect(await taskDone(db, [inTime], "twice")).toBe(0);
    expect(await db.query({ text: "select done from tally" })).toEqual([{ done: 1 }]);
    expect(await tasks.isOpen(db, id!)).toBe(false);
    await lapse();
    expect(await tasks.claimDue(db, 9, LEASE_MS)).toEqual([]);
  });

  test("ends for many rows at once, except those that others took over", async () => {
    const [id] = await add(5);
    const claims = await tasks.claimDue(db, 5, LEASE_MS);
    await db.query({ text: "update task set due_at = now() - interval '1 second' where id = $1" }, [id]);
    await tasks.claim(db, id!, 2 * LEASE_MS);
    expect(await taskGone(db, claims)).toBe(4);
    expect(await db.query({ text: "select id from task" })).toEqual([{ id }]);
  });

  test("may end with a time from which the row is due again", async () => {
    const [id] = await add(1);
    const claim = (await tasks.claim(db, id!, LEASE_MS))!;
    expect(await taskAgain(db, [claim], "busy", 50)).toBe(1);
    expect(await tasks.claim(db, id!, LEASE_MS)).toBeNull();
    await sleep(60);
    expect(await tasks.claim(db, id!, LEASE_MS)).toMatchObject({ tries: 2 });
  });

  test("is given on other rows while one is locked", async () => {
    const [locked, free] = await add(2);
    const client = new pg.Client({ connectionString: (await app()).config.DATABASE_URL });
    await client.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from task where id = $1 for update", [locked]);
      expect((await tasks.claimDue(db, 9, LEASE_MS)).map(({ id }) => id)).toEqual([free]);
      expect(await tasks.claim(db, locked!, LEASE_MS)).toBeNull();
    } finally {
      await client.end();
    }
  });
});

describe("a lease that belongs to a process", () => {
  test("ends when the process stops, and it is refused to a process that does not count as alive", async () => {
    const [id] = await add(1, "null");
    const [one, other] = [await newProcess(), await newProcess()];
    const held = (await runs.claim(db, id!, one.id))!;
    expect(held).not.toBeNull();
    expect(await runs.claim(db, id!, other.id)).toBeNull();
    await one.end();
    expect(await runs.claim(db, id!, newId())).toBeNull();
    const taken = (await runs.claim(db, id!, other.id))!;
    expect(await runDone(db, [held])).toBe(0);
    expect(await runDone(db, [taken])).toBe(1);
    await other.end();
  });

  test("ends when the process is killed or frozen, soon after its last heartbeat", async () => {
    const ids = await add(3, "null");
    const [one, other] = [await newProcess(), await newProcess()];
    expect(await runs.claimDue(db, 9, one.id)).toHaveLength(3);
    // Silence counts only while another process has been heard for a while.
    await sleep(1_200);
    expect(await runs.claimDue(db, 9, other.id)).toHaveLength(0);
    one.freeze();
    const frozenAt = Date.now();
    await expect
      .poll(async () => (await runs.claimDue(db, 9, other.id)).length, { timeout: 10_000, interval: 50 })
      .toBe(ids.length);
    expect(Date.now() - frozenAt).toBeGreaterThan(LIVENESS_MS - 400);
    await other.end();
  });

  test("is given back if the reply to its claim is lost with the connection", async () => {
    const [first, second] = [await newProcess(), await newProcess()];
    // A row that is due a part of a millisecond later fails this only now and then.
    for (const id of await add(100)) {
      let losing = true;
      const losingReply: Db = {
        async query(...args) {
          const rows = await db.query(...args);
          if (losing) {
            losing = false;
            throw new Error("Connection terminated unexpectedly");
          }
          return rows as never;
        },
      };
      await expect(runs.claim(losingReply, id, first.id)).rejects.toThrow("terminated");
      expect(await runs.claim(db, id, second.id)).toMatchObject({ id });
    }
    await Promise.all([first.end(), second.end()]);
  });
});

test("claimed rows are processed several at a time; a failure stops no other, and a stop starts no more", async () => {
  const rows = Array.from({ length: 20 }, (_, n) => n);
  const stopping = new AbortController();
  const failed: number[] = [];
  let [now, most, ended] = [0, 0, 0];
  const begun = await workOn(
    rows,
    { atOnce: 4, stopping: stopping.signal, onError: (row) => failed.push(row) },
    async (row) => {
      most = Math.max(most, ++now);
      await sleep(5);
      now--;
      if (++ended === 8) stopping.abort();
      if (row === 2) throw new Error("broken");
    },
  );
  expect(most).toBe(4);
  expect(failed).toEqual([2]);
  expect(begun).toBe(ended);
  expect(begun).toBeLessThanOrEqual(12);
});
