import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { rollUpKeyUsage } from "../../src/domain/access/key-usage/roll-up.ts";
import { type Background, backgroundOf } from "../../src/domain/events/background.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { KeyUsage, KeyUsageBuffer } from "../../src/domain/kernel/ports/key-usage.ts";
import { watchTurns } from "../support/loop-turns.ts";
import { seeded } from "../support/random.ts";
import { type World, world } from "../support/world.ts";

/** Every call is added to its day once, whatever interrupts those who do it. */

const DAY = "2026-05-01";
const never = new AbortController().signal;

let here: World;
let ctx: Background;
let buffer: KeyUsageBuffer;
let keys: string[];
beforeAll(async () => {
  here = await world();
  ctx = backgroundOf(here.app.resources, new Date().toISOString());
  buffer = ctx.ports.keyUsage;
  for (let n = 0; n < 3; n++) await here.keyFor(here.owner);
  const rows = await here.sql<{ id: string }>("select id from api_key where workspace_id = $1 order by id", [
    here.workspace.id,
  ]);
  keys = rows.map(({ id }) => id);
});

const usage = (keyId: string, calls: number, more: Partial<KeyUsage> = {}): KeyUsage => ({
  key_id: keyId,
  day: DAY,
  client_errors: 0,
  server_errors: 0,
  rate_limited: 0,
  latencies: [0, 0, calls],
  ...more,
});

/** A web process that adds counts in flushes. */
function webProcess() {
  const process = randomUUID();
  let number = 0;
  return {
    next: (calls: number) => ({ process, number: ++number, usage: keys.map((id) => usage(id, calls)) }),
    flush(calls: number) {
      return buffer.add(this.next(calls));
    },
  };
}

const stored = async () =>
  (
    await here.sql<{ requests: number; latencies: number[] }>(
      "select requests, latencies from api_key_usage where day = $1 and key_id = any($2) order by key_id",
      [DAY, keys],
    )
  ).map(({ requests, latencies }) => {
    expect(latencies.reduce((sum, count) => sum + count, 0)).toBe(requests);
    return requests;
  });

async function empty() {
  await rollUpKeyUsage(ctx, never);
  await here.sql("delete from api_key_usage where day = $1", [DAY]);
}

class Killed extends Error {}

/** The same resources, with `step` called before and after each call to Redis and Postgres. */
function interruptible(step: () => Promise<void>): Background {
  const around = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          await step();
          const result = await value.apply(target, args);
          await step();
          return result;
        };
      },
    });
  return { ...ctx, db: around(ctx.db), ports: { ...ctx.ports, keyUsage: around(buffer) } };
}

test("a worker that is killed before or after any step leaves the rest to the next one", async () => {
  for (let at = 0, ended = false; !ended; at++) {
    await empty();
    const [one, two] = [webProcess(), webProcess()];
    await one.flush(3);
    let steps = 0;
    const dying = interruptible(async () => {
      if (steps++ === at) throw new Killed();
    });
    ended = await rollUpKeyUsage(dying, never).then(
      () => true,
      (error) => {
        if (!(error instanceof Killed)) throw error;
        return false;
      },
    );
    await two.flush(4);
    await one.flush(5);
    await rollUpKeyUsage(ctx, never);
    expect(await stored(), `killed at step ${at}`).toEqual(keys.map(() => 12));
    if (ended) expect(at).toBeGreaterThan(5);
  }
});

test("a worker that was frozen at any step adds nothing twice when it continues", async () => {
  for (let at = 0, ended = false; !ended; at++) {
    await empty();
    const web = webProcess();
    await web.flush(3);
    let steps = 0;
    ended = true;
    const frozen = interruptible(async () => {
      if (steps++ !== at) return;
      ended = false;
      await rollUpKeyUsage(ctx, never);
      await web.flush(4);
      await rollUpKeyUsage(ctx, never);
      await web.flush(5);
    });
    await rollUpKeyUsage(frozen, never);
    await rollUpKeyUsage(ctx, never);
    expect(await stored(), `frozen at step ${at}`).toEqual(keys.map(() => (ended ? 3 : 12)));
  }
});

test("several workers at once, and web processes that go on counting", async () => {
  await empty();
  const random = seeded(7);
  const webs = [webProcess(), webProcess()];
  let calls = 0;
  let isOver = false;
  const counting = Promise.all(
    webs.map(async (web) => {
      for (let n = 1; n <= 40; n++, await sleep(random.below(8))) {
        calls += n;
        await web.flush(n);
      }
    }),
  );
  const slow = () => interruptible(() => sleep(random.below(6)).then(() => {}));
  const working = Promise.all(
    [0, 1, 2].map(async () => {
      while (!isOver) await rollUpKeyUsage(slow(), never);
    }),
  );
  await counting;
  isOver = true;
  await working;
  await rollUpKeyUsage(ctx, never);
  expect(await stored()).toEqual(keys.map(() => calls));
});

test("a flush whose reply was lost is added once, in whichever slice, and so is one that was kept in Postgres", async () => {
  await empty();
  const web = webProcess();
  const [first, second, third] = [web.next(3), web.next(4), web.next(5)];
  await buffer.add(first);
  await buffer.add(first);
  await rollUpKeyUsage(ctx, never);
  await buffer.add(first);
  await buffer.add(second);
  // The process stops: it does not know that its second flush has arrived.
  await here.sql(
    "insert into api_key_usage_flush (process, number, usage) select process, number, usage from jsonb_to_recordset($1::jsonb) as f(process uuid, number integer, usage jsonb)",
    [JSON.stringify([second, third])],
  );
  await Promise.all([rollUpKeyUsage(ctx, never), rollUpKeyUsage(ctx, never)]);
  await rollUpKeyUsage(ctx, never);
  expect(await stored()).toEqual(keys.map(() => 12));
  expect(await here.sql("select 1 from api_key_usage_flush where process = $1", [first.process])).toEqual([]);
});

test("counts of keys that were deleted are dropped, and the others are stored", async () => {
  await empty();
  const web = webProcess();
  const flush = web.next(2);
  await buffer.add({ ...flush, usage: [usage(newId(), 9), ...flush.usage] });
  await rollUpKeyUsage(ctx, never);
  expect(await stored()).toEqual(keys.map(() => 2));
});

test("errors, days and buckets are added to their own", async () => {
  await empty();
  const web = webProcess();
  const [key = ""] = keys;
  const other = "2026-05-02";
  const add = (more: Partial<KeyUsage>) => buffer.add({ ...web.next(0), usage: [usage(key, 0, more)] });
  await add({ client_errors: 2, rate_limited: 1, latencies: [1, 0, 1] });
  await rollUpKeyUsage(ctx, never);
  await add({ server_errors: 1, latencies: [0, 0, 0, 0, 4] });
  await add({ day: other, latencies: [7] });
  await rollUpKeyUsage(ctx, never);
  const rows = await here.sql(
    `select to_char(day, 'YYYY-MM-DD') as day, requests, client_errors, server_errors, rate_limited, latencies
     from api_key_usage where key_id = $1 and day in ($2, $3) order by day`,
    [key, DAY, other],
  );
  expect(rows).toEqual([
    { day: DAY, requests: 6, client_errors: 2, server_errors: 1, rate_limited: 1, latencies: [1, 0, 1, 0, 4] },
    { day: other, requests: 7, client_errors: 0, server_errors: 0, rate_limited: 0, latencies: [7] },
  ]);
});

test("very many keys do not hold the event loop", async () => {
  await empty();
  const ids = Array.from({ length: 60_000 }, () => newId());
  const process = randomUUID();
  for (let at = 0; at < ids.length; at += 200) {
    const part = ids.slice(at, at + 200).map((id) => usage(id, 1, { client_errors: 1, latencies: [1, 0, 2, 3, 4] }));
    await buffer.add({ process, number: at / 200 + 1, usage: part });
  }
  const [slice] = (await buffer.close()).slice(-1);
  const turns = watchTurns();
  const read: KeyUsage[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  // Others, such as the collection of garbage, may interfere once.
  for (let run = 0; run < 3 && shortest > 50; run++) {
    turns.longest();
    read.splice(0, read.length, ...(await buffer.read(slice!)));
    shortest = Math.min(shortest, turns.longest());
  }
  turns.stop();
  expect(read).toHaveLength(ids.length);
  expect(shortest).toBeLessThan(50);
  await buffer.remove(slice!);
});
