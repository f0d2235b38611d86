import pg from "pg";
import { expect, test } from "vitest";
import { type World, world } from "../support/world.ts";

/** Changes to an issue that is being archived come too late and are rejected. */

type Call = (here: World, path: string) => ReturnType<World["owner"]["call"]>;

const CALLS: [string, Call][] = [
  ["a comment", ({ owner }, path) => owner.post(`${path}/comments`, { body_md: "x" })],
  ["comments", ({ owner }, path) => owner.post(`${path}/comments/bulk`, { items: [{ body_md: "x" }] })],
  ["watching", ({ owner }, path) => owner.post(`${path}/watchers`)],
  ["a change", ({ owner }, path) => owner.patch(path, { title: "x" })],
  ["a move", ({ owner }, path) => owner.post(`${path}/transition`, { status: "done", comment_md: "x" })],
  ["time", ({ owner }, path) => owner.patch(`${path}/time`, { log: { minutes: 5 } })],
  [
    "a link",
    ({ owner }, path) => owner.post(`${path}/links`, { kind: "blocks", direction: "in", target_key: "WEB-2" }),
  ],
];

test.each(CALLS)("%s", async (_, call) => {
  const here = await world();
  const { data: issue } = await here.owner.post("P/issues", { title: "Target" }).expect(201);
  await here.owner.post("P/issues", { title: "Other" }).expect(201);
  const before = (await here.owner.get(`P/issues/${issue.id}`)).data;
  const holder = new pg.Client({ connectionString: here.app.config.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("update issue set archived_at = now() where id = $1", [issue.id]);
    const calling = call(here, `P/issues/${issue.id}`).then((reply) => reply);
    await expect.poll(() => waiting(here)).toBe(1);
    await holder.query("commit");
    const { status, body } = await calling;
    expect([status, body.code]).toEqual([409, "archived"]);
  } finally {
    await holder.end();
  }
  const { archived_at: _at, ...after } = (await here.owner.get(`P/issues/${issue.id}`)).data;
  expect({ ...after, archived_at: null }).toEqual(before);
});

const waiting = async ({ sql }: World) =>
  (await sql("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).length;
