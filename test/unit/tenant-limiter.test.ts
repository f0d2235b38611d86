import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { mayWaitForLocks } from "../../src/adapters/lock-waits.ts";
import { openTenantLimiter } from "../../src/adapters/tenant-limiter.ts";
import { Busy } from "../../src/domain/kernel/ports/ports.ts";
import { leastTime } from "../support/least.ts";

const lockNotAvailable = () => Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" });

/** Writes that occupy their slot until they are told to end. */
function held() {
  const inside: string[] = [];
  const ends = new Map<string, () => void>();
  const write = (name: string) => () => {
    inside.push(name);
    return new Promise<string>((resolve) => {
      ends.set(name, () => {
        inside.splice(inside.indexOf(name), 1);
        resolve(name);
      });
    });
  };
  return { inside, write, end: (name: string) => ends.get(name)!() };
}

test("a tenant holds at most as many slots as are free, so that the next tenant finds one", async () => {
  const limiter = openTenantLimiter(6);
  const { inside, write, end } = held();
  const run = (tenant: string, n: number) =>
    limiter.run({ tenant, resource: `${tenant} ${n}` }, write(`${tenant}${n}`));
  const all = [1, 2, 3, 4, 5].map((n) => run("a", n));
  await sleep(0);
  expect(inside).toEqual(["a1", "a2", "a3"]);
  all.push(run("b", 1), run("b", 2), run("c", 1), run("d", 1));
  await sleep(0);
  expect(inside).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
  end("a1");
  await sleep(0);
  // A tenant without a slot goes before those who have waited longer.
  expect(inside).toEqual(["a2", "a3", "b1", "b2", "c1", "d1"]);
  end("a2");
  await sleep(0);
  expect(inside).toEqual(["a3", "b1", "b2", "c1", "d1"]);
  end("b1");
  await sleep(0);
  expect(inside).toEqual(["a3", "b2", "c1", "d1", "a4"]);
  for (let open = 0; open < all.length * 2; open++) {
    for (const name of [...inside]) end(name);
    await sleep(0);
  }
  expect((await Promise.all(all)).sort()).toEqual(["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1", "d1"]);
});

test("while a resource is blocked one write at a time tries for it, and other tenants' writes go ahead", async () => {
  const limiter = openTenantLimiter(6);
  let locked = true;
  let most = 0;
  let inside = 0;
  const waits: (number | null)[] = [];
  const write = async (lockMs: number | null) => {
    waits.push(lockMs);
    most = Math.max(most, ++inside);
    await sleep(20);
    inside--;
    if (locked) throw lockNotAvailable();
    return "written";
  };
  const blocked = Array.from({ length: 20 }, () => limiter.run({ tenant: "a", resource: "board" }, write));
  await sleep(30);
  most = 0;
  await sleep(200);
  expect(most).toBe(1);
  // The lock timeout is short only while others want the slot.
  expect(waits.at(-1)).toBe(200);
  const started = performance.now();
  for (let n = 0; n < 10; n++) await limiter.run({ tenant: "b", resource: "other" }, async () => "at once");
  // One that waited for a slot would take 200 ms.
  expect(performance.now() - started).toBeLessThan(150);
  locked = false;
  expect(await Promise.all(blocked)).toEqual(Array(20).fill("written"));
});

test("blocked resources of many tenants together use few slots", async () => {
  const limiter = openTenantLimiter(6, { patienceMs: 2_500 });
  let inside = 0;
  let most = 0;
  const write = async () => {
    most = Math.max(most, ++inside);
    await sleep(20);
    inside--;
    throw lockNotAvailable();
  };
  const all = Array.from({ length: 40 }, (_, n) => limiter.run({ tenant: `t${n % 20}`, resource: `${n % 20}` }, write));
  for (const one of all) one.catch(() => {});
  // Timers come late on a busy machine, and then more writes than two meet until the limiter knows what is blocked.
  await expect
    .poll(async () => {
      most = 0;
      await sleep(200);
      return most;
    })
    .toBe(2);
  let n = 0;
  const fresh = () => limiter.run({ tenant: `fresh${++n}`, resource: `fresh${n}` }, async () => {});
  expect(await leastTime(fresh, 10)).toBeLessThan(10);
  await expect(Promise.any(all)).rejects.toThrow();
});

test("a write that gets no lock or no slot in time is refused", async () => {
  const limiter = openTenantLimiter(1, { patienceMs: 500 });
  const started = performance.now();
  const write = async () => {
    await sleep(50);
    throw lockNotAvailable();
  };
  const refused = await Promise.allSettled([1, 2, 3].map(() => limiter.run({ tenant: "a", resource: "a" }, write)));
  for (const one of refused) expect(one).toMatchObject({ status: "rejected", reason: expect.any(Busy) });
  expect(performance.now() - started).toBeGreaterThan(490);
  expect(performance.now() - started).toBeLessThan(1_000);
  // Everything they used was released.
  expect(await limiter.run(undefined, async () => "free")).toBe("free");
});

test("an error of its own ends a write at once and gives its slot back", async () => {
  const limiter = openTenantLimiter(1);
  for (let n = 0; n < 3; n++) {
    await expect(
      limiter.run({ tenant: "a" }, async () => {
        throw new Error("refused");
      }),
    ).rejects.toThrow("refused");
  }
  expect(await limiter.withSlot(async () => "free")).toBe("free");
});

test.each([
  ["select id from issue where updated_at > $1 order by created_at", false],
  ["select count(*) from deleted_thing where locked_by is null and share > 1", false],
  ["with gone as (delete from outbox returning 1) select 1", true],
  ["insert into part values ($1)", true],
  ["UPDATE issue set title = $1", true],
  ["select 1 from issue where id = $1 for no key update", true],
  ["select 1 from issue for key share", true],
  ["select 1 from issue for share", true],
  ["select pg_advisory_xact_lock(1)", true],
])("whether a statement may wait for locks: %s", (text, waits) => {
  expect(mayWaitForLocks({ text })).toBe(waits);
});

test("every statement of ours that changes or locks rows counts as a write, and no other", () => {
  const root = join(import.meta.dirname, "../../src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const texts = files.flatMap((name) =>
    [...readFileSync(join(root, name), "utf8").matchAll(/\btext:\s*`([^`]*)`/g)].map(([, text = ""]) => text),
  );
  const changes = /\b(insert\s+into|delete\s+from|update\s+[\w$]|for (no key )?update|for (key )?share)|pg_advisory/;
  const wrong = texts.filter((text) => mayWaitForLocks({ text }) !== changes.test(text));
  expect(wrong).toEqual([]);
  expect(texts.length).toBeGreaterThan(200);
});

test("a short write does not wait for other kinds of its tenant", async () => {
  const limiter = openTenantLimiter(6);
  const { inside, write, end } = held();
  const long = ["a", "b", "c", "d"].map((name) => limiter.run({ tenant: "t", resource: name }, write(name)));
  await sleep(0);
  expect(inside).toEqual(["a", "b", "c"]);
  const short = limiter.run({ tenant: "t", kind: "short", resource: "beat" }, write("beat"));
  await sleep(0);
  expect(inside).toEqual(["a", "b", "c", "beat"]);
  for (let open = 0; open < 10; open++) {
    for (const name of [...inside]) end(name);
    await sleep(0);
  }
  await Promise.all([...long, short]);
});

test("a tenant with hundreds of waiting writes is told to retry, and others are served", async () => {
  const limiter = openTenantLimiter(4, { patienceMs: 10_000 });
  const { inside, write, end } = held();
  const first = ["a", "b"].map((name) => limiter.run({ tenant: "t", resource: name }, write(name)));
  const more = Array.from({ length: 498 }, (_, n) => limiter.run({ tenant: "t", resource: `r${n}` }, async () => n));
  await expect(limiter.run({ tenant: "t", resource: "one more" }, async () => 0)).rejects.toThrow(Busy);
  expect(await limiter.run({ tenant: "u" }, async () => "served")).toBe("served");
  for (const name of [...inside]) end(name);
  expect(await Promise.all(more)).toHaveLength(498);
  await Promise.all(first);
});

test("the only tenant may use all slots but those that it has to leave, until another one comes", async () => {
  const limiter = openTenantLimiter(8, { leftByOnlyTenant: 2 });
  const inside: Record<string, number> = { a: 0, b: 0 };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const call = (tenant: string) =>
    limiter.run({ tenant }, async () => {
      inside[tenant]!++;
      await released;
    });
  const calls = Array.from({ length: 20 }, () => call("a"));
  await sleep(10);
  expect(inside.a).toBe(6);
  calls.push(call("b"), call("b"), call("b"));
  await sleep(10);
  expect(inside).toEqual({ a: 6, b: 1 });
  release();
  await Promise.all(calls);
});
