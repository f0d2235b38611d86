import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { brokenLinks } from "../contract/chains.ts";
import { type Client, type Reply, served } from "../support/client.ts";
import { eventsIn } from "../support/footprint.ts";
import { type Fraction, fraction, mean, percentOf, progressOfKeyResult } from "../support/fractions.ts";
import { type World, world } from "../support/world.ts";

/**
 * Whatever happens to goals and key results, in any order or at once: every goal shows the progress that follows from
 * what the API lists, computed here again with fractions of big integers.
 */

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const runs = Number(process.env.FUZZ_RUNS ?? 6);
vi.setConfig({ testTimeout: 120_000 });

/** A failure is reported in time, however many steps could still be left out. */
const IN_TIME = { interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true };

const nth = fc.nat(1_000);
const weight = fc.oneof(
  fc.constantFrom(1, 2, 3, 999, 5e-324, 1e-300, 0.1, 1 / 3, 998.9999999999999),
  fc.double({ min: 5e-324, max: 999, noNaN: true }),
);
const value = fc.oneof(
  fc.constantFrom(0, 1, -1, 50, 100, 1e308, -1e308, 5e-324, -0, 0.1, 1 / 3, 99.99999999999999),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const values = fc.record(
  { start_value: fc.option(value), target_value: value, current_value: value },
  { requiredKeys: ["target_value", "current_value"] },
);
const override = fc.option(
  fc.oneof(fc.constantFrom(0, 100, 50, 12.5, 99.999), fc.double({ min: 0, max: 100, noNaN: true })),
);

const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 4, arbitrary });
const action = fc.oneof(
  often(fc.record({ what: fc.constant("create" as const), parent: fc.option(nth), weight })),
  often(fc.record({ what: fc.constant("measure" as const), goal: nth, values, weight })),
  often(fc.record({ what: fc.constant("report" as const), keyResult: nth, values })),
  often(fc.record({ what: fc.constant("move" as const), goal: nth, parent: fc.option(nth) })),
  fc.record({ what: fc.constant("weigh" as const), goal: nth, weight }),
  fc.record({ what: fc.constant("weigh key result" as const), keyResult: nth, weight }),
  fc.record({ what: fc.constant("override" as const), goal: nth, override }),
  fc.record({ what: fc.constant("delete" as const), goal: nth }),
  fc.record({ what: fc.constant("delete key result" as const), keyResult: nth }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;
const sequence = fc.array(action, { minLength: 30, maxLength: 60, size: "max" });

type Goal = {
  id: string;
  parent_goal_id: string | null;
  weight: number;
  progress_override: number | null;
  progress_pct: number | null;
};
type KeyResult = {
  id: string;
  weight: number;
  start_value: number | null;
  target_value: number | null;
  current_value: number | null;
  progress_pct: number | null;
};

/** The goals and key results that a sequence has created, in order. */
type Made = { goals: string[]; keyResults: { goal: string; id: string }[] };

/** A chain of ten goals, so that changes have a long way up, with two goals beside it and three key results. */
async function prepared(): Promise<{ here: World; made: Made }> {
  const here = await world();
  const { owner } = here;
  const goals: string[] = [];
  for (let level = 0; level < 12; level++) {
    const parent_goal_id = level < 10 ? goals.at(-1) : goals[4];
    goals.push((await owner.post("W/goals", { title: `Goal ${level}`, parent_goal_id }).expect(201)).data.id);
  }
  const made: Made = { goals, keyResults: [] };
  for (const goal of [3, 9, 11]) await call(owner, made, { what: "measure", goal, values: HALF, weight: 1 });
  return { here, made };
}

const HALF = { target_value: 100, current_value: 50 };

async function call(owner: Client, made: Made, doing: Action): Promise<Reply> {
  const at = <T>(list: T[], n: number): T => list[n % list.length]!;
  const goal = (n: number) => `W/goals/${at(made.goals, n)}`;
  const parentOf = (n: number | null) => (n === null ? null : at(made.goals, n));
  const keyResult = (n: number) => {
    const { goal: of, id } = at(made.keyResults, n);
    return `W/goals/${of}/key-results/${id}`;
  };
  switch (doing.what) {
    case "create": {
      const body = { title: "Goal", parent_goal_id: parentOf(doing.parent), weight: doing.weight };
      const reply = await owner.post("W/goals", body);
      if (reply.status === 201) made.goals.push(reply.data.id);
      return reply;
    }
    case "measure": {
      const of = at(made.goals, doing.goal);
      const body = { title: "KR", kind: "manual", weight: doing.weight, ...doing.values };
      const reply = await owner.post(`W/goals/${of}/key-results`, body);
      if (reply.status === 201) made.keyResults.push({ goal: of, id: reply.data.id });
      return reply;
    }
    case "report":
      return owner.patch(keyResult(doing.keyResult), doing.values);
    case "move":
      return owner.patch(goal(doing.goal), { parent_goal_id: parentOf(doing.parent) });
    case "weigh":
      return owner.patch(goal(doing.goal), { weight: doing.weight });
    case "weigh key result":
      return owner.patch(keyResult(doing.keyResult), { weight: doing.weight });
    case "override":
      return owner.patch(goal(doing.goal), { progress_override: doing.override });
    case "delete":
      return owner.delete(goal(doing.goal));
    case "delete key result":
      return owner.delete(keyResult(doing.keyResult));
  }
}

/** Goals and key results may be deleted, parents too deep or above, but nothing else is refused. */
const ALLOWED = [200, 201, 400, 404];
const REFUSALS = [undefined, "goal_cycle", "depth_limit_reached", "invalid_reference", "not_found"];

function expectServed(reply: Reply): void {
  expect(ALLOWED, reply.text).toContain(reply.status);
  expect(REFUSALS, reply.text).toContain(reply.body.code);
}

/** Computes the progress of all goals from what the API lists, and compares. Returns how many are measured. */
async function expectExact(owner: Client): Promise<number> {
  const goals: Goal[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await owner
      .get(`W/goals?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      .expect(200);
    goals.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  const below = Map.groupBy(goals, ({ parent_goal_id }) => parent_goal_id);
  const known = new Map<string, Fraction | null>();
  const progressOf = async (goal: Goal): Promise<Fraction | null> => {
    const parts: { weight: number; progress: Fraction | null }[] = [];
    const keyResults: KeyResult[] = (await owner.get(`W/goals/${goal.id}/key-results`).expect(200)).data;
    for (const one of keyResults) {
      const progress = progressOfKeyResult(one);
      expect(one.progress_pct, JSON.stringify(one)).toBe(percentOf(progress));
      parts.push({ weight: one.weight, progress });
    }
    for (const child of below.get(goal.id) ?? []) {
      parts.push({ weight: child.weight, progress: await progressOf(child) });
    }
    const override = goal.progress_override;
    const progress = override === null ? mean(parts) : fraction(override, 100);
    known.set(goal.id, progress);
    expect(goal.progress_pct, JSON.stringify({ goal, parts: parts.map(({ weight }) => weight) })).toBe(
      percentOf(progress),
    );
    return progress;
  };
  for (const top of below.get(null) ?? []) await progressOf(top);
  // No goal is in a cycle or below a deleted goal.
  expect(known.size).toBe(goals.length);
  return [...known.values()].filter((progress) => progress !== null).length;
}

/** The events of each object follow on each other, and the last one has what GET returns. */
async function expectReported(here: World): Promise<void> {
  const sequences = await eventsIn(here);
  expect(sequences.flatMap(brokenLinks)).toEqual([]);
  for (const { type, data } of sequences.map((events) => events.at(-1))) {
    if (type.startsWith("key_result") || type === "goal.deleted") continue;
    expect((await here.owner.get(`W/goals/${data.id}`).expect(200)).data, type).toMatchObject(data);
  }
}

test(`one change after another (FUZZ_SEED=${seed})`, async () => {
  let measured = 0;
  const check = fc.asyncProperty(sequence, async (actions) => {
    const { here, made } = await prepared();
    for (const doing of actions) expectServed(await call(here.owner, made, doing));
    measured += await expectExact(here.owner);
    await expectReported(here);
  });
  await fc.assert(check, { seed, numRuns: runs, ...IN_TIME });
  expect(measured).toBeGreaterThan(runs);
});

test(`all changes at once (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(sequence, async (actions) => {
    const { here, made } = await prepared();
    const replies = await Promise.all(actions.map((doing) => served(() => call(here.owner, made, doing))));
    for (const reply of replies) expectServed(reply);
    await expectExact(here.owner);
    await expectReported(here);
  });
  await fc.assert(check, { seed, numRuns: runs, ...IN_TIME });
});

test("50 changes of leaves at once leave every goal above right", async () => {
  const { owner }: World = await world();
  const tops: string[] = [];
  const leaves: { goal: string; id: string }[] = [];
  const goal = async (body: Record<string, unknown>): Promise<string> =>
    (await owner.post("W/goals", { title: "Goal", ...body }).expect(201)).data.id;
  for (let branch = 0; branch < 5; branch++) {
    let parent_goal_id = tops[0];
    for (let level = 0; level < 3; level++) {
      parent_goal_id = await goal({ parent_goal_id, weight: branch + 1 });
      tops.push(parent_goal_id);
    }
    for (let leaf = 0; leaf < 2; leaf++) {
      const id = await goal({ parent_goal_id, weight: leaf + 0.1 });
      const kr = await owner.post(`W/goals/${id}/key-results`, { title: "KR", kind: "manual", ...HALF }).expect(201);
      leaves.push({ goal: id, id: kr.data.id });
    }
  }
  const changes = Array.from({ length: 50 }, (_, n) => {
    const { goal: of, id } = leaves[n % leaves.length]!;
    return served(() => owner.patch(`W/goals/${of}/key-results/${id}`, { current_value: n * 2 }));
  });
  for (const { status, text } of await Promise.all(changes)) expect(status, text).toBe(200);
  expect(await expectExact(owner)).toBe(25);
});

test("means of fractions without end, and tiny weights, are exact", async () => {
  const { owner } = await world();
  const goal = async (body: Record<string, unknown> = {}): Promise<string> =>
    (await owner.post("W/goals", { title: "Goal", ...body }).expect(201)).data.id;
  const part = async (parent_goal_id: string, weight: number, target_value: number, current_value: number) => {
    const body = { title: "KR", kind: "manual", target_value, current_value };
    await owner.post(`W/goals/${await goal({ parent_goal_id, weight })}/key-results`, body).expect(201);
  };
  const shown = async (id: string) => (await owner.get(`W/goals/${id}`).expect(200)).data.progress_pct;
  // 6 × 1/3 + 1 of 7 are three sevenths, and 7 of 8 of these are 37.5 percent, which are shown as 38.
  const half = await goal();
  const sevenths = await goal({ parent_goal_id: half, weight: 7 });
  await part(sevenths, 6, 3, 1);
  await part(sevenths, 1, 1, 1);
  await part(half, 1, 1, 0);
  expect(await shown(half)).toBe(38);
  // This is less than an eighth.
  const less = await goal();
  await part(less, 1, 8, 1);
  await part(less, 1e-30, 1, 0);
  expect(await shown(less)).toBe(12);
  await expectExact(owner);
});
