import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type World, world } from "../support/world.ts";

/**
 * Whatever happens to issues (moved, retyped, created, archived, restored), hierarchies stay trees of at most 8
 * levels.
 */

// Two chains of four below epics, so that hanging one below the other meets the limit.
const CHAIN = 4;
const KEYS = Array.from({ length: 2 * CHAIN + 3 }, (_, n) => `WEB-${n + 1}`);
const EPICS = KEYS.slice(2 * CHAIN);

const key = fc.constantFrom(...KEYS);
const named = (what: string, rest: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Action> =>
  fc.record({ what: fc.constant(what), key, ...rest });
type Action = { what: string; key: string; [field: string]: unknown };

const action = fc.oneof(
  { weight: 6, arbitrary: named("patch", { body: fc.record({ parent: fc.option(key) }) }) },
  { weight: 2, arbitrary: named("patch", { body: fc.record({ epic: fc.option(fc.constantFrom(...EPICS)) }) }) },
  { weight: 2, arbitrary: named("patch", { body: fc.record({ type: fc.constantFrom("epic", "task", "subtask") }) }) },
  { weight: 2, arbitrary: named("create", { body: fc.record({ parent: key }) }) },
  { weight: 1, arbitrary: named("create", { body: fc.record({ epic: fc.constantFrom(...EPICS) }) }) },
  { weight: 1, arbitrary: named("patch", { body: fc.record({ parent: fc.option(key), epic: fc.option(key) }) }) },
  { weight: 1, arbitrary: named("archive", {}) },
  { weight: 1, arbitrary: named("restore", {}) },
);

async function prepared(): Promise<World> {
  const here = await world();
  const chain = Array.from({ length: CHAIN }, (_, n) => ({ title: "x", ...(n > 0 ? { parent: `#${n - 1}` } : {}) }));
  await here.owner.post("P/issues/bulk", { items: chain }).expect(201);
  await here.owner.post("P/issues/bulk", { items: chain }).expect(201);
  await here.owner.post("P/issues/bulk", { items: EPICS.map((title) => ({ title, type: "epic" })) }).expect(201);
  return here;
}

function call({ owner }: World, { what, key: of, body }: Action) {
  if (what === "patch") return owner.patch(`P/issues/${of}`, body);
  if (what === "create") return owner.post("P/issues", { title: "New", ...(body as object) });
  return what === "archive" ? owner.delete(`P/issues/${of}`) : owner.post(`P/issues/${of}/restore`);
}

async function expectSoundFamilies({ sql, workspace }: World) {
  const chains = `
    with recursive down as (
      select id, id as top, 1 as level from issue where workspace_id = $1 and parent_id is null
      union all
      select i.id, down.top, down.level + 1 from down join issue i on i.parent_id = down.id where down.level < 50)`;
  const [found] = await sql(
    `${chains} select (select count(*) from issue where workspace_id = $1) as issues, count(*) as reached,
                      count(distinct id) as once, max(level) <= 8 as bounded from down`,
    [workspace.id],
  );
  // An issue in a cycle has no path to a root.
  expect(found).toMatchObject({ reached: found!.issues, once: found!.issues, bounded: true });
  const wrong = await sql(
    `select i.key, i.type, p.key as parent, e.key as epic, e.type as epic_type from issue i
     left join issue p on p.id = i.parent_id left join issue e on e.id = i.epic_id
     where i.workspace_id = $1 and (
       (i.type = 'epic' and (i.parent_id is not null or i.epic_id is not null))
       or (i.epic_id is not null and e.type <> 'epic') or i.epic_id = i.id
       or p.project_id <> i.project_id or e.project_id <> i.project_id
       or i.parent_number is distinct from p.number or i.epic_number is distinct from e.number
       -- What is not set otherwise has the epic of its parent.
       or (not i.epic_own and i.epic_id is distinct from case when p.type = 'epic' then p.id else p.epic_id end)
       or (i.type = 'subtask' and i.parent_id is null)
       or i.child_count <> (select count(*) from issue c where c.archived_at is null
                            and i.id = case when i.type = 'epic' then c.epic_id else c.parent_id end))`,
    [workspace.id],
  );
  expect(wrong).toEqual([]);
  const [deadlocks] = await sql(`select deadlocks from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ deadlocks: 0 });
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
vi.setConfig({ testTimeout: 120_000 });
const runs = Number(process.env.FUZZ_RUNS ?? 4);
const expectForeseen = (reply: { status: number; text: string }) =>
  expect([200, 201, 400, 409], reply.text).toContain(reply.status);

test(`one change after another (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 40 }), async (actions) => {
    const here = await prepared();
    for (const doing of actions) expectForeseen(await call(here, doing));
    await expectSoundFamilies(here);
  });
  await fc.assert(check, { seed, numRuns: runs });
});

test(`all changes at once (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 40 }), async (actions) => {
    const here = await prepared();
    for (const reply of await Promise.all(actions.map((doing) => call(here, doing)))) expectForeseen(reply);
    await expectSoundFamilies(here);
  });
  await fc.assert(check, { seed, numRuns: runs });
});
