import { expect, test } from "vitest";
import { race } from "../support/race.ts";
import { type World, world } from "../support/world.ts";

/** What happens to goals, key results and portfolios when a person leaves the workspace. */

const eventsOf = ({ sql, workspace }: World) =>
  sql<{ type: string; data: Record<string, unknown>; previous: Record<string, unknown>; changed: string[] }>(
    `select type, data, previous, changed from event
     where workspace_id = $1 and type in ('goal.updated', 'key_result.updated', 'portfolio.updated') order by id`,
    [workspace.id],
  );
const made = async ({ owner }: World, path: string, body: Record<string, unknown>) =>
  (await owner.post(path, body).expect(201)).data;

test("a person who leaves no longer owns goals and key results, leads portfolios or watches goals", async () => {
  const here = await world();
  const { owner } = here;
  const leaver = await here.as({ role: "admin" });
  const stays = await here.as({ role: "member" });
  const theirs = await made(here, "W/goals", { title: "Theirs", owner_user_id: leaver.userId });
  const other = await made(here, "W/goals", { title: "Other", owner_user_id: stays.userId });
  const keyResults = `W/goals/${other.id}/key-results`;
  const manual = { title: "KR", kind: "manual", owner_user_id: leaver.userId };
  const kr = await made(here, keyResults, manual);
  const scope = { assignee_id: leaver.userId };
  const auto = await made(here, keyResults, { title: "Auto", kind: "auto", scope, owner_user_id: stays.userId });
  const portfolio = await made(here, "W/portfolios", { name: "Theirs", lead_user_id: leaver.userId });
  const deleted = await made(here, "W/goals", { title: "Deleted", owner_user_id: leaver.userId });
  await owner.delete(`W/goals/${deleted.id}`).expect(200);
  const before = (await eventsOf(here)).length;
  expect((await owner.get(`W/goals/${other.id}`).expect(200)).data.watcher_count).toBe(3);

  await owner.delete(`W/members/${leaver.userId}`).expect(200);
  const read = async (path: string) => (await owner.get(path).expect(200)).data;
  expect(await read(`W/goals/${theirs.id}`)).toMatchObject({ owner_user_id: null, watcher_count: 1, version: 2 });
  expect(await read(`W/goals/${other.id}`)).toMatchObject({
    owner_user_id: stays.userId,
    watcher_count: 2,
    version: 1,
  });
  expect(await read(keyResults)).toMatchObject([
    { id: auto.id, owner_user_id: stays.userId, scope },
    { id: kr.id, owner_user_id: null },
  ]);
  const led = await read(`W/portfolios/${portfolio.id}`);
  expect(led.lead_user_id).toBeNull();
  expect(led.updated_at > portfolio.updated_at).toBe(true);
  const events = (await eventsOf(here)).slice(before);
  expect(events.map(({ type, data, previous, changed }) => [type, data.id, previous, changed])).toEqual([
    ["goal.updated", theirs.id, { owner_user_id: leaver.userId }, ["owner_user_id"]],
    ["key_result.updated", kr.id, { owner_user_id: leaver.userId }, ["owner_user_id"]],
    ["portfolio.updated", portfolio.id, { lead_user_id: leaver.userId }, ["lead_user_id"]],
  ]);
  expect(events[2]!.data).toEqual(led);
  await owner.patch(`W/goals/${theirs.id}`, { owner_user_id: leaver.userId }).expect(400, "invalid_reference");
});

test("hundreds of goals and key results of a person who leaves each get their event", async () => {
  const here = await world();
  const leaver = await here.as({ role: "member" });
  const { id } = await made(here, "W/goals", { title: "One", owner_user_id: leaver.userId });
  const kr = await made(here, `W/goals/${id}/key-results`, { title: "KR", kind: "manual", owner_user_id: "me" });
  for (const [table, from] of [
    ["goal", id],
    ["key_result", kr.id],
  ]) {
    await here.sql(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(
         'id', gen_random_uuid(), 'owner_user_id', $2::uuid))).* from ${table} t, generate_series(1, 250) where id = $1`,
      [from, leaver.userId],
    );
  }
  await here.owner.delete(`W/members/${leaver.userId}`).expect(200);
  const count = async (type: string) => (await eventsOf(here)).filter((event) => event.type === type).length;
  expect([await count("goal.updated"), await count("key_result.updated")]).toEqual([251, 250]);
  for (const table of ["goal", "key_result"]) {
    expect(await here.sql(`select from ${table} where owner_user_id = $1`, [leaver.userId])).toEqual([]);
  }
});

const GOAL = { title: "Goal" };
const KEY_RESULT = { title: "KR", kind: "manual", owner_user_id: "me" };
test.each([
  ["a goal", "W/goals", async () => ({}), GOAL],
  [
    "a key result",
    "W/goals/:id/key-results",
    async (here: World): Promise<Record<string, string>> => made(here, "W/goals", { title: "Target" }),
    KEY_RESULT,
  ],
  ["a portfolio", "W/portfolios", async () => ({}), { name: "Portfolio", lead_user_id: "me" }],
])("a person who is removed while they create %s creates nothing", async (_, path, prepare, body) => {
  const here = await world();
  const leaver = await here.as({ role: "admin" });
  const { id = "" }: Record<string, string> = await prepare(here);
  const { replies, met } = await race(
    here,
    { table: "workspace", column: "id", id: here.workspace.id },
    () => here.owner.delete(`W/members/${leaver.userId}`),
    () => leaver.post(path.replace(":id", id), body),
  );
  expect(met).toBe(true);
  expect(replies.map(({ status, body: { code } }) => [status, code])).toEqual([
    [200, undefined],
    [403, "insufficient_role"],
  ]);
  for (const [table, field] of [
    ["goal", "owner_user_id"],
    ["key_result", "owner_user_id"],
    ["portfolio", "lead_user_id"],
    ["goal_watcher", "user_id"],
  ]) {
    expect(await here.sql(`select from ${table} where ${field} = $1`, [leaver.userId]), table).toEqual([]);
  }
});
