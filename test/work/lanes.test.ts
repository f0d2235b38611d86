import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openLanes } from "../../src/domain/kernel/lanes.ts";
import { Busy, type Db } from "../../src/domain/kernel/ports/ports.ts";

/** Writes that share statements, without Postgres. */

const db: Db = { query: async () => [] };
const target = { tenant: "t" };
const rejected = (code = "23505") => Object.assign(new Error(code), { severity: "ERROR", code });

/** Statements that take a turn of the event loop each, and fail with the item named `bad`. */
function writesOf({ lane = "a", part = "1", fault = rejected(), ms = 0, length = 1 } = {}) {
  const statements: string[][] = [];
  let running = 0;
  let most = 0;
  const write = {
    lane,
    part,
    lengthOf: () => length,
    async run(_: Db, items: string[]) {
      statements.push(items);
      most = Math.max(most, ++running);
      await sleep(ms);
      running--;
      if (items.includes("bad")) throw fault;
      return items.map((item) => `${item}!`);
    },
  };
  return { write, statements, most: () => most };
}

const lanes = () => openLanes({ write: (work) => work(db), transaction: () => Promise.reject(new Error("not here")) });
const settled = async (calls: Promise<string>[]) =>
  (await Promise.allSettled(calls)).map((one) => (one.status === "fulfilled" ? one.value : one.reason.message));

test("one that comes alone runs at once, and those that come meanwhile share the next statement", async () => {
  const { write, statements, most } = writesOf();
  const { share } = lanes();
  const calls = ["a", "b", "c", "d"].map((item) => share(write, item, target));
  expect(statements).toEqual([["a"]]);
  expect(await settled(calls)).toEqual(["a!", "b!", "c!", "d!"]);
  expect(statements).toEqual([["a"], ["b", "c", "d"]]);
  expect(await share(write, "e", target)).toBe("e!");
  expect([statements.length, most()]).toEqual([3, 1]);
});

test("after a rejected statement each item is tried alone", async () => {
  const { write, statements } = writesOf();
  const { share } = lanes();
  const calls = ["a", "b", "bad", "d"].map((item) => share(write, item, target));
  expect(await settled(calls)).toEqual(["a!", "b!", "23505", "d!"]);
  expect(statements).toEqual([["a"], ["b", "bad", "d"], ["b"], ["bad"], ["d"]]);
});

test.each(["08006", "55P03", "57P01"])("after %s, which is about no item, nothing is tried again", async (code) => {
  const { write, statements } = writesOf({ fault: rejected(code) });
  const { share } = lanes();
  const calls = ["a", "b", "bad"].map((item) => share(write, item, target));
  expect(await settled(calls)).toEqual(["a!", code, code]);
  expect(statements).toHaveLength(2);
});

test("after a lock that stays taken, its part of the lane waits alone", async () => {
  const one = writesOf({ part: "1", fault: rejected("55P03") });
  const two = { ...one.write, part: "2" };
  const { share } = lanes();
  const calls = [share(two, "a", target), share(one.write, "bad", target), share(two, "c", target)];
  expect(await settled(calls)).toEqual(["a!", "55P03", "c!"]);
  const later = [share(one.write, "d", target), share(two, "e", target)];
  expect(await settled(later)).toEqual(["d!", "e!"]);
  expect(one.statements).toEqual([["a"], ["bad", "c"], ["bad"], ["c"], ["d"], ["e"]]);
});

test("after a lock that stays taken, the items of each part share a statement again", async () => {
  const one = writesOf({ part: "1", fault: rejected("55P03") });
  const two = { ...one.write, part: "2" };
  const { share } = lanes();
  const calls = [share(two, "a", target)];
  for (const item of ["bad", "b"]) calls.push(share(one.write, item, target));
  for (const item of ["c", "d"]) calls.push(share(two, item, target));
  expect(await settled(calls)).toEqual(["a!", "55P03", "55P03", "c!", "d!"]);
  expect(one.statements).toEqual([["a"], ["bad", "b", "c", "d"], ["bad", "b"], ["c", "d"]]);
});

test("a lost connection, which has no severity, is not tried again either", async () => {
  const { write, statements } = writesOf({ fault: new Error("Connection terminated") as ReturnType<typeof rejected> });
  const { share } = lanes();
  const calls = ["a", "b", "bad"].map((item) => share(write, item, target));
  expect(await settled(calls)).toEqual(["a!", "Connection terminated", "Connection terminated"]);
  expect(statements).toHaveLength(2);
});

test("a statement has at most 50 items, and half a million characters", async () => {
  const together = (count: number, { write }: ReturnType<typeof writesOf>) => {
    const { share } = lanes();
    return Promise.all(Array.from({ length: count }, (_, n) => share(write, `${n}`, target)));
  };
  const many = writesOf();
  await together(121, many);
  expect(many.statements.map(({ length }) => length)).toEqual([1, 50, 50, 20]);
  const long = writesOf({ length: 200_000 });
  await together(6, long);
  expect(long.statements.map(({ length }) => length)).toEqual([1, 2, 2, 1]);
  const huge = writesOf({ length: 1_000_000 });
  await together(3, huge);
  expect(huge.statements.map(({ length }) => length)).toEqual([1, 1, 1]);
});

test("lanes do not wait for each other, and a slow statement is not waited for", async () => {
  const slow = writesOf({ ms: 400 });
  const other = writesOf({ lane: "b" });
  const { share } = lanes();
  const started = performance.now();
  const calls = [share(slow.write, "a", target), share(slow.write, "b", target)];
  expect(await share(other.write, "x", target)).toBe("x!");
  expect(performance.now() - started).toBeLessThan(300);
  expect(await settled(calls)).toEqual(["a!", "b!"]);
  expect(performance.now() - started).toBeLessThan(750);
  expect(slow.most()).toBe(2);
});

test("too many in one lane are refused", async () => {
  const { write } = writesOf({ ms: 20 });
  const { share } = lanes();
  const calls = Array.from({ length: 510 }, (_, n) => share(write, `${n}`, target));
  const refused = (await Promise.allSettled(calls)).filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(9);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Busy);
});
