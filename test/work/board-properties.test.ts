import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type World, world } from "../support/world.ts";

/**
 * After any moves, issues are at the requested positions, all others keep their order, and none is lost or
 * duplicated.
 */

const ISSUES = 8;
const KEYS = Array.from({ length: ISSUES }, (_, n) => `WEB-${n + 1}`);
const COLUMNS = ["To Do", "In Progress", "Done"] as const;

const key = fc.constantFrom(...KEYS);
const column = fc.constantFrom(...COLUMNS);
type Move = {
  key: string;
  column: string;
  place: "top" | "bottom" | "before" | "after";
  beside: string;
  patch: boolean;
};
const move: fc.Arbitrary<Move> = fc.record({
  key,
  column,
  place: fc.constantFrom("top", "bottom", "before", "after"),
  beside: key,
  patch: fc.boolean(),
});

async function prepared(): Promise<World> {
  const here = await world();
  await here.owner.post("P/issues/bulk", { items: KEYS.map((title) => ({ title })) }).expect(201);
  return here;
}

function call({ owner, columns }: World, { key: of, column: to, place, beside, patch }: Move) {
  const named = place === "before" || place === "after" ? { [place]: beside } : {};
  const status_id = columns[to];
  if (patch) return owner.patch(`P/issues/${of}`, { status_id, ...named });
  return owner.post(`P/issues/${of}/transition`, {
    status_id,
    ...named,
    ...(place === "top" ? { position: "top" } : {}),
  });
}

type Placed = { key: string; column: string };
const boardOf = async ({ owner }: World): Promise<Placed[]> =>
  (await owner.get("P/issues?limit=100").expect(200)).data.map((issue: Record<string, string>) => ({
    key: issue.key,
    column: issue.status_name,
  }));

/** The expected board after a move. */
function moved(board: Placed[], { key: of, column: to, place, beside, patch }: Move): Placed[] {
  const own = board.find((issue) => issue.key === of)!;
  const isNamed = place === "before" || place === "after";
  if (isNamed && beside === of) return board;
  // Only a change of column or a requested position moves an issue.
  const asks = isNamed || (!patch && place === "top");
  if (!asks && own.column === to) return board;

  const others = board.filter((issue) => issue !== own);
  const inColumn = others.filter((issue) => issue.column === to);
  const spot = isNamed
    ? others.find((issue) => issue.key === beside)
    : place === "top" && !patch
      ? inColumn[0]
      : inColumn.at(-1);
  const isBefore = place === "before" || (place === "top" && !patch);
  const at = spot ? others.indexOf(spot) + (isBefore ? 0 : 1) : others.length;
  return others.toSpliced(at, 0, { key: of, column: to });
}

/** Every issue appears once in the board's order, with a short rank of its own. */
async function expectSoundBoard({ sql, project }: World) {
  const [row] = await sql(
    `select count(*)::int as issues, count(distinct rank)::int as ranks, max(length(rank)) <= 41 as short
     from issue where project_id = $1`,
    [project.id],
  );
  expect(row).toEqual({ issues: ISSUES, ranks: ISSUES, short: true });
  const [deadlocks] = await sql(`select deadlocks from pg_stat_database where datname = current_database()`);
  expect(deadlocks).toEqual({ deadlocks: 0 });
}

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
vi.setConfig({ testTimeout: 120_000 });
const runs = Number(process.env.FUZZ_RUNS ?? 4);
const isSelf = ({ key: of, place, beside }: Move) => (place === "before" || place === "after") && of === beside;

test(`one move after another (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 30 }), async (moves) => {
    const here = await prepared();
    for (let board = await boardOf(here); moves.length > 0; ) {
      const next = moves.shift()!;
      await call(here, next).expect(isSelf(next) ? 400 : 200);
      board = moved(board, next);
      expect(await boardOf(here), JSON.stringify(next)).toEqual(board);
    }
    await expectSoundBoard(here);
  });
  await fc.assert(check, { seed, numRuns: runs });
});

test(`all moves at once (FUZZ_SEED=${seed})`, async () => {
  const check = fc.asyncProperty(fc.array(move, { minLength: 10, maxLength: 40 }), move, async (moves, last) => {
    const here = await prepared();
    await Promise.all(moves.map((next) => call(here, next).expect(isSelf(next) ? 400 : 200)));
    const board = await boardOf(here);
    expect(board.map((issue) => issue.key).sort()).toEqual([...KEYS].sort());
    for (const issue of board) {
      const wanted = moves.filter((next) => next.key === issue.key && !isSelf(next)).map((next) => next.column);
      expect([...wanted, ...(wanted.length === 0 ? ["To Do"] : [])]).toContain(issue.column);
    }
    await expectSoundBoard(here);
    // The result is a valid order.
    if (isSelf(last)) return;
    await call(here, last).expect(200);
    expect(await boardOf(here)).toEqual(moved(board, last));
  });
  await fc.assert(check, { seed, numRuns: runs });
});

test("two issues that swap positions repeatedly keep short ranks", async () => {
  const here = await prepared();
  for (let n = 0; n < 300; n++) {
    await here.owner.patch(`P/issues/WEB-${(n % 2) + 2}`, { after: "WEB-1" }).expect(200);
  }
  await expectSoundBoard(here);
});
