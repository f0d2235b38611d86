import fc from "fast-check";
import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** Ranks that clients send, and equal ranks: issues go where they should, and no more others change than have to. */

type Row = { id: string; key: string; rank: string; version: number; updated_at: string };

const rowsOf = ({ sql, project }: World, isLive = true) =>
  sql<Row>(
    `select id, key, rank, version, updated_at from issue
     where project_id = $1 and (archived_at is null) = $2 order by rank, id`,
    [project.id, isLive],
  );
const told = ({ sql, project }: World) =>
  sql<{ id: string; issue_id: string; changed: string[] }>(
    `select id, issue_id, changed from event where project_id = $1 and type = 'issue.updated'`,
    [project.id],
  );
/** Ranks of older rows may be equal. */
const setRanks = ({ sql, project }: World, ranks: string[]) =>
  sql(
    `update issue i set rank = r.rank from unnest($2::text[]) with ordinality r(rank, number)
     where i.project_id = $1 and i.number = r.number`,
    [project.id, ranks],
  );

/** Copies of WEB-1 with its rank. */
const copies = ({ sql, project }: World, last: number) =>
  sql(
    `with old as (select * from issue where project_id = $1 and number = 1),
          counter as (update issue_counter set last_number = $2 where project_id = $1),
          counted as (update board_status set issue_count = $2 where id = (select status_id from old))
     insert into issue (id, workspace_id, project_id, number, key, type, title, status, status_id, priority, rank,
                        reporter_id, created_by, created_at, updated_at)
     select gen_random_uuid(), workspace_id, project_id, n, 'WEB-' || n, 'task', 'Copy', status, status_id, priority,
            rank, reporter_id, created_by, created_at, updated_at
     from old, generate_series(2, $2) n`,
    [project.id, last],
  );

const RANKS = ["a1", "a15", "a2", "a2000000000000000000000000000000000000001", "a21"];
const rank = fc.constantFrom(...RANKS);
const pick = fc.nat(1_000);
const place = fc.oneof(
  fc.record({ rank }),
  fc.record({ before: pick }),
  fc.record({ after: pick }),
  fc.record({ position: fc.constantFrom("top", "bottom") }),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), issue: pick, place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("create" as const), issue: pick, place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("archive" as const), issue: pick, place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore" as const), issue: pick, place }) },
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** Makes the step. Returns the issue that moves or comes, and its expected index among the others. */
async function make({ owner }: World, { kind, issue, place }: Step, live: Row[], archived: Row[]) {
  const one = (all: Row[], n: number) => all[n % all.length];
  const moves = kind === "move" ? one(live, issue) : kind === "restore" ? one(archived, issue) : undefined;
  if (kind === "archive") await owner.delete(`P/issues/${one(live, issue)!.key}`).expect(200);
  if (kind === "archive" || (kind === "restore" && !moves)) return null;
  const others = live.filter(({ id }) => id !== moves?.id);
  const behind = (wanted: string) => others.findLastIndex((other) => other.rank <= wanted) + 1;
  if (kind === "restore") {
    await owner.post(`P/issues/${moves!.key}/restore`).expect(200);
    return { key: moves!.key, index: behind(moves!.rank) };
  }
  const beside = "before" in place ? one(others, place.before!) : "after" in place ? one(others, place.after!) : null;
  const body =
    "rank" in place || "position" in place ? place : { ["before" in place ? "before" : "after"]: beside!.key };
  if (kind === "create" && "position" in body) return null;
  const { data } =
    kind === "create"
      ? await owner.post("P/issues", { title: "New", ...body }).expect(201)
      : await owner.post(`P/issues/${moves!.key}/transition`, { status: "todo", ...body }).expect(200);
  const index =
    "rank" in place
      ? place.rank === moves?.rank
        ? live.indexOf(moves)
        : behind(place.rank!)
      : beside
        ? others.indexOf(beside) + ("after" in place ? 1 : 0)
        : "position" in place && place.position === "top"
          ? 0
          : others.length;
  if ("rank" in place && !others.some((other) => other.rank === place.rank)) expect(data.rank).toBe(place.rank);
  return { key: data.key as string, index };
}

test("any moves put issues where they should be, and each replaced rank, and no other, changes its issue", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rank, { minLength: 4, maxLength: 12 }),
      fc.array(step, { minLength: 6, maxLength: 12 }),
      async (older, steps) => {
        const here = await world();
        await here.owner.post("P/issues/bulk", { items: older.map(() => ({ title: "x" })) }).expect(201);
        await setRanks(here, older);
        for (const one of steps) {
          const [before, archived, heard] = [await rowsOf(here), await rowsOf(here, false), await told(here)];
          if (before.length < 3) continue;
          const moved = await make(here, one, before, archived);
          const after = await rowsOf(here);
          if (!moved) continue;
          const others = before.filter(({ key }) => key !== moved.key);
          const order = others.map(({ key }) => key);
          order.splice(moved.index, 0, moved.key);
          expect(after.map(({ key }) => key)).toEqual(order);
          const own = after.find(({ key }) => key === moved.key)!;
          if (before.find(({ key }) => key === moved.key)?.rank !== own.rank) {
            expect(after.filter(({ rank }) => rank === own.rank)).toHaveLength(1);
          }
          const now = new Map(after.map((row) => [row.id, row]));
          const replaced = others.filter(({ id, rank }) => now.get(id)!.rank !== rank);
          for (const old of others) {
            const { rank: _, ...row } = now.get(old.id)!;
            if (!replaced.includes(old))
              expect(row).toEqual({ ...row, version: old.version, updated_at: old.updated_at });
            else {
              expect(row.version).toBe(old.version + 1);
              expect(row.updated_at > old.updated_at).toBe(true);
            }
          }
          const known = new Set(heard.map(({ id }) => id));
          const fresh = (await told(here)).filter(({ id, issue_id }) => !known.has(id) && issue_id !== own.id);
          expect(fresh.map(({ issue_id }) => issue_id).sort()).toEqual(replaced.map(({ id }) => id).sort());
          for (const { changed } of fresh) expect(changed).toEqual(["rank"]);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

test("issues that clients give the same rank get different ones, and moves among them change no other issue", async () => {
  const here = await world();
  const { owner } = here;
  const items = Array.from({ length: 50 }, () => ({ title: "x", rank: "a1" }));
  for (let n = 0; n < 6; n++) await owner.post("P/issues/bulk", { items }).expect(201);
  for (let n = 0; n < 20; n++) await owner.post("P/issues", { title: "x", rank: "a1" }).expect(201);
  const before = await rowsOf(here);
  expect(before.map(({ rank }) => rank)).toEqual([...new Set(before.map(({ rank }) => rank))]);
  expect(Math.max(...before.map(({ version }) => version))).toBe(1);
  expect(before[0]).toMatchObject({ key: "WEB-1", rank: "a1" });
  await owner.patch("P/issues/WEB-320", { after: before[150]!.key }).expect(200);
  const after = await rowsOf(here);
  expect(after.filter(({ version }) => version > 1).map(({ key }) => key)).toEqual(["WEB-320"]);
});

test("of thousands of older equal ranks, a move changes those of the smaller part only", async () => {
  const here = await world();
  const { owner, sql, project } = here;
  await owner.post("P/issues", { title: "One", rank: "a25" }).expect(201);
  await copies(here, 3_000);
  for (const [after, most] of [
    [2_989, 10],
    [4, 5],
    [1_500, 1_500],
    [1_500, 0],
  ] as const) {
    await sql("update issue set version = 1 where project_id = $1", [project.id]);
    const before = await rowsOf(here);
    const { data } = await owner.post("P/issues", { title: "New", after: before[after]!.key }).expect(201);
    const now = await rowsOf(here);
    expect(now.map(({ key }) => key)).toEqual(before.map(({ key }) => key).toSpliced(after + 1, 0, data.key));
    expect(now.filter(({ version }) => version > 1).length).toBeLessThanOrEqual(most);
  }
}, 60_000);
