import { expect, test } from "vitest";
import { served } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

const file = async ({ owner }: World, body: Record<string, unknown> = {}) =>
  (await owner.post("P/issues", { title: "x", ...body }).expect(201)).data;
const eventsOf = ({ sql, project }: World) =>
  sql(
    `select previous, changed, data ->> 'spent_minutes' as spent from event
     where project_id = $1 and type = 'issue.updated' order by id`,
    [project.id],
  );

test("an issue's time is its estimate, the time spent and the time left", async () => {
  const here = await world();
  const issue = await file(here, { estimate_minutes: 60 });
  const path = `P/issues/${issue.key}/time`;
  const empty = {
    issue_key: issue.key,
    estimate_minutes: 60,
    story_points: null,
    spent_minutes: null,
    completion_pct: null,
    remaining_minutes: 60,
    agent_minutes: 0,
    children_spent_minutes: 0,
    entries: [],
  };
  expect((await here.owner.get(path).expect(200)).data).toEqual(empty);
  const { data } = await here.owner.patch(path, { log: { minutes: 90, note: " Looked ", spent_on: "2026-01-31" } });
  const entry = { id: expect.any(String), author_id: here.owner.userId };
  expect(data).toEqual({
    ...empty,
    spent_minutes: 90,
    remaining_minutes: 0,
    entries: [{ ...entry, minutes: 90, note: "Looked", spent_on: "2026-01-31" }],
  });
  const later = await here.owner.patch(path, {
    story_points: 3,
    completion_pct: 50,
    remaining_minutes: 45,
    estimate_minutes: 120,
    log: { minutes: -30 },
  });
  expect(later.data).toMatchObject({ spent_minutes: 60, remaining_minutes: 45, story_points: 3, completion_pct: 50 });
  expect(later.data.entries[0]).toEqual({
    ...entry,
    minutes: -30,
    note: null,
    spent_on: new Date().toISOString().slice(0, 10),
  });
  expect((await here.owner.get(`P/issues/${issue.key}`).expect(200)).data).toMatchObject({ spent_minutes: 60 });
  expect((await here.owner.patch(path, { remaining_minutes: null }).expect(200)).data.remaining_minutes).toBe(60);
  await here.owner.patch(path, { spent_minutes: 10, remaining_minutes: null }).expect(200);
  expect((await here.owner.get(path).expect(200)).data).toMatchObject({ spent_minutes: 10, remaining_minutes: 110 });
});

test("each change is recorded once, with history entries", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  await here.owner.patch(path, { log: { minutes: 5 } }).expect(200);
  await here.owner.patch(path, { remaining_minutes: 7 }).expect(200);
  await here.owner.patch(path, {}).expect(200);
  await here.owner.patch(path, { remaining_minutes: 7, spent_minutes: 5, log: null }).expect(400, "validation_failed");
  await here.owner.patch(path, { remaining_minutes: 7, spent_minutes: 5 }).expect(200);
  expect(await eventsOf(here)).toEqual([
    { changed: ["spent_minutes"], previous: { spent_minutes: null }, spent: "5" },
    { changed: ["remaining_minutes"], previous: { remaining_minutes: null }, spent: "5" },
  ]);
  const { data } = await here.owner.get(`P/issues/${issue.key}/activity`).expect(200);
  expect(data.slice(0, 2)).toMatchObject([
    { kind: "updated", payload: { field: "remaining_minutes", from: null, to: 7 } },
    { kind: "time_logged", payload: { field: "spent_minutes", from: null, to: 5 } },
  ]);
});

test("an invalid time is refused and changes nothing", async () => {
  const here = await world();
  const issue = await file(here, { spent_minutes: 10 });
  const path = `P/issues/${issue.key}/time`;
  const refusals: [object, string, string][] = [
    [{ estimate_minutes: -1 }, "/estimate_minutes", "too_small"],
    [{ completion_pct: 101 }, "/completion_pct", "too_large"],
    [{ log: { minutes: 0 } }, "/log/minutes", "not_allowed"],
    [{ log: { minutes: 1441 } }, "/log/minutes", "too_large"],
    [{ log: { minutes: -11 } }, "/log/minutes", "too_small"],
    [{ log: {} }, "/log/minutes", "required"],
    [{ log: { minutes: 1, note: "x".repeat(501) } }, "/log/note", "too_long"],
    [{ log: { minutes: 1, spent_on: "2026-02-30" } }, "/log/spent_on", "pattern"],
    [{ log: { minutes: 1, spent_on: "0001-01-01" } }, "/log/spent_on", "pattern"],
  ];
  for (const [body, field, code] of refusals) {
    const reply = await here.owner.patch(path, body).expect(400, "validation_failed");
    expect(reply.body.error.details.errors).toMatchObject([{ path: field, code }]);
  }
  const both = { spent_minutes: 5, log: { minutes: 5 } };
  await here.owner.patch(path, both).expect(400, "mutually_exclusive");
  await here.owner.patch(path, { spent_minutes: 525_600 }).expect(200);
  await here.owner.patch(path, { log: { minutes: 1 } }).expect(400, "validation_failed");
  expect((await here.owner.get(path).expect(200)).data.entries).toEqual([]);
  await here.owner.delete(`P/issues/${issue.key}`).expect(200);
  await here.owner.patch(path, { log: { minutes: -1 } }).expect(409, "archived");
});

test("of 50 concurrent logs none is lost", async () => {
  const here = await world();
  const issue = await file(here, { spent_minutes: 100 });
  const path = `P/issues/${issue.key}/time`;
  const minutes = Array.from({ length: 55 }, (_, n) => (n === 0 ? -100 : n));
  const replies = await Promise.all(
    minutes.map((one) => served(() => here.owner.patch(path, { log: { minutes: one } }))),
  );
  expect(replies.map(({ status }) => status)).toEqual(minutes.map(() => 200));
  const { data } = await here.owner.get(path).expect(200);
  expect(data.spent_minutes).toBe(100 + minutes.reduce((sum, one) => sum + one));
  expect(data.entries).toHaveLength(50);
  const ids = data.entries.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(await eventsOf(here)).toHaveLength(55);
});

test("minutes of agents and of live children are counted separately", async () => {
  const here = await world();
  const parent = await file(here);
  const children = [
    await file(here, { parent: parent.key, spent_minutes: 20 }),
    await file(here, { parent: parent.key, spent_minutes: 5 }),
    await file(here, { parent: parent.key }),
  ];
  const path = `P/issues/${parent.key}/time`;
  expect((await here.owner.get(path).expect(200)).data.children_spent_minutes).toBe(25);
  await here.owner.delete(`P/issues/${children[1].key}`).expect(200);
  expect((await here.owner.get(path).expect(200)).data.children_spent_minutes).toBe(20);

  const agent = await here.as({ role: "member" });
  await here.sql(`update app_user set kind = 'agent', agent_workspace_id = $2, email = null where id = $1`, [
    agent.userId,
    here.workspace.id,
  ]);
  await here.sql(`update access_version set version = version + 1 where workspace_id = $1`, [here.workspace.id]);
  await agent.patch(path, { log: { minutes: 12 } }).expect(200);
  await here.owner.patch(path, { log: { minutes: 3 } }).expect(200);
  expect((await here.owner.get(path).expect(200)).data).toMatchObject({ spent_minutes: 15, agent_minutes: 12 });

  // Agents take back what agents logged, and no more.
  const { body } = await agent.patch(path, { log: { minutes: -13 } }).expect(400, "validation_failed");
  expect(body.error.details.errors).toMatchObject([{ path: "/log/minutes", code: "too_small", minimum: -12 }]);
  const { data } = await agent.patch(path, { log: { minutes: -12 } }).expect(200);
  expect(data).toMatchObject({ spent_minutes: 3, agent_minutes: 0 });
});
