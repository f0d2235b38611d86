import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { Exchange, type Reply } from "../support/client.ts";
import { eventsIn, type Footprint, footprint, namesIn } from "../support/footprint.ts";
import { type Row, race } from "../support/race.ts";
import { named, sampled } from "../support/sample.ts";
import { type World, world } from "../support/world.ts";
import { brokenLinks } from "./chains.ts";
import { crossings } from "./crossings/index.ts";
import type { Params } from "./examples.ts";
import { type Pair, paired, pairs, UNPAIRED } from "./pairs.ts";

/**
 * Two callers change one object at the same moment. Their combined effect (replies, events, history and rows) equals
 * that of running them one after the other, in one of the two orders.  The test locks a row, sends both calls, and
 * releases the row once both wait or have ended. So each call reads everything it reads before its first lock, and
 * then waits while the other one changes the object.
 */

// Five pairs run at once, with two calls each.
configure({ DATABASE_POOL: "24" });

const LONG = 120_000;

test("every operation that changes something is paired, or has a reason for not being paired", () => {
  const named = pairs().map(({ name }) => name);
  expect(paired.filter(({ id }) => !named.some((name) => name.includes(id))).map(({ id }) => id)).toEqual([]);
  expect(Object.values(UNPAIRED).filter((reason) => reason === "")).toEqual([]);
});

describe.concurrent(named("on one object"), () => {
  test.each(sampled(pairs(), 24))("$name", expectOneOrder, LONG);
});

describe.concurrent(named("on objects that name each other"), () => {
  test.each(sampled(crossings, 8))("$name", expectOneOrder, LONG);
});

async function expectOneOrder(pair: Pair): Promise<void> {
  let orders: Footprint[] | undefined;
  let staged: Stage | undefined = await stage(pair);
  for (const { first, place } of placesOf(staged)) {
    if (!mayMeet(pair, place)) continue;
    const { met, left, broken } = await atOnce(pair, staged ?? (await stage(pair)), { place, first });
    staged = undefined;
    if (!met) continue;
    expect(broken, `${place} locked, ${first + 1}. call first`).toEqual([]);
    orders ??= [await inTurn(pair, [0, 1]), await inTurn(pair, [1, 0])];
    expect(left, `${place} locked, ${first + 1}. call first`).toEqual(closest(left, orders));
  }
}

/** Rows that many calls lock besides those they reference. */
const COMMON = ["board", "project", "workspace"];

type Place = { place: string; first: 0 | 1 };

/** Each referenced row is locked twice, so that each call comes first once. Common rows are locked once. */
function placesOf({ rows }: Stage): Place[] {
  const named = Object.keys(rows).filter((place) => !COMMON.includes(place));
  const both = ([0, 1] as const).flatMap((first) => named.map((place) => ({ place, first })));
  return [...both, ...COMMON.map((place, index) => ({ place, first: index === 1 ? (1 as const) : (0 as const) }))];
}

/** Whether a call was seen to wait for a common row. */
const waits = new Map<string, boolean>();

/** If one of two calls never waits for a common row, they can conflict only at the rows they reference. */
const mayMeet = ({ calls }: Pair, place: string) =>
  !COMMON.includes(place) || calls.every(({ called }) => waits.get(`${called} ${place}`) ?? true);

type Stage = { here: World; calls: (() => Exchange)[]; rows: Record<string, Row> };

async function stage({ stage: prepare, calls }: Pair): Promise<Stage> {
  const here = await world();
  const callers = [here.owner, await here.as({ role: "owner", name: "Otto Other" })];
  const params = await prepare(here);
  const made: (() => Exchange)[] = [];
  for (const [n, call] of calls.entries()) {
    const { method, path, body, finishesAfterCommit } = await call(here, params, n);
    const send = () => callers[n]!.call(method, path, body);
    made.push(finishesAfterCommit ? () => new Exchange(statusOf(send())) : send);
  }
  return { here, calls: made, rows: await rowsOf(here, params) };
}

const statusOf = async (exchange: Exchange): Promise<Reply> => ({ ...(await exchange), body: undefined });

async function inTurn(pair: Pair, order: readonly number[]): Promise<Footprint> {
  const { here, calls } = await stage(pair);
  const names = await namesIn(here);
  const replies: Reply[] = [];
  for (const n of order) replies[n] = await calls[n]!();
  return footprint(here, names, replies);
}

/** How often a pair is sent if one of its calls returns 503. */
const ATTEMPTS = 3;

async function atOnce(pair: Pair, staged: Stage, { place, first }: Place) {
  for (let attempt = 1; ; attempt++) {
    const { here, calls, rows } = attempt === 1 ? staged : await stage(pair);
    const names = await namesIn(here);
    const { replies, met, waited } = await race(here, rows[place]!, calls[first]!, calls[1 - first]!);
    // On a busy machine a call may reach its lock timeout. It then changes nothing.
    if (replies.some(({ status }) => status === 503) && attempt < ATTEMPTS) continue;
    waits.set(`${pair.calls[first].called} ${place}`, waited);
    const left = await footprint(here, names, first === 0 ? replies : replies.toReversed());
    return { met, left, broken: (await eventsIn(here)).flatMap(brokenLinks) };
  }
}

const TABLES = [
  ...["issue", "comment", "attachment", "issue_link", "label", "milestone", "sprint", "release", "board_status"],
  ...["custom_field", "form", "saved_view", "webhook", "api_key", "invite", "doc", "doc_comment", "doc_version"],
  ...["goal", "key_result", "portfolio", "workspace_view"],
];

async function rowsOf({ project, workspace, sql }: World, params: Params): Promise<Record<string, Row>> {
  const text = TABLES.map((table) => `select '${table}' as "table" from ${table} where id = $1`).join(" union all ");
  const rows: Record<string, Row> = {};
  for (const [name, id] of Object.entries(params)) {
    const [found] = /^[0-9a-f-]{36}$/.test(id) ? await sql<{ table: string }>(text, [id]) : [];
    if (found) rows[name] = { table: found.table, column: "id", id };
  }
  return {
    ...rows,
    board: { table: "issue_counter", column: "project_id", id: project.id },
    project: { table: "project", column: "id", id: project.id },
    workspace: { table: "workspace", column: "id", id: workspace.id },
  };
}

/** The order whose result equals this one, or else has most in common with it. */
function closest(left: Footprint, orders: Footprint[]): Footprint {
  const parts = ({ events, history, rows }: Footprint) => [...events, ...history, ...rows];
  const likeness = (order: Footprint) =>
    parts(left).filter((one) => parts(order).some((other) => isDeepStrictEqual(one, other))).length;
  return (
    orders.find((order) => isDeepStrictEqual(order, left)) ?? orders.toSorted((a, b) => likeness(b) - likeness(a))[0]!
  );
}
