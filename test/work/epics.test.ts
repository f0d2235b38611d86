import { expect, test } from "vitest";
import { passOnEpics } from "../../src/workers/work/pass-on-epics.ts";
import { expectSoundCounts } from "../support/counts.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

type Body = Record<string, unknown>;
const file = async ({ owner }: World, body: Body = {}) =>
  (await owner.post("P/issues", { title: "x", ...body }).expect(201)).data;
const epic = (here: World) => file(here, { type: "epic" });
const read = async ({ owner }: World, key: string) => (await owner.get(`P/issues/${key}`).expect(200)).data;
const epicsOf = async (here: World, ...issues: { key: string }[]) =>
  Promise.all(issues.map(async ({ key }) => (await read(here, key)).epic_id));

test("an issue's epic follows its parent unless it is set otherwise", async () => {
  const here = await world();
  const [one, two] = [await epic(here), await epic(here)];
  const story = await file(here, { epic: one.key });
  const task = await file(here, { parent: story.key });
  const subtask = await file(here, { parent: task.key, type: "subtask" });
  const other = await file(here, { parent: story.key, epic: two.key });
  const none = await file(here, { parent: story.key, epic: null });
  expect(await epicsOf(here, task, subtask, other, none)).toEqual([one.id, one.id, two.id, null]);

  await here.owner.patch(`P/issues/${story.key}`, { epic: two.key }).expect(200);
  expect(await epicsOf(here, story, task, subtask, other, none)).toEqual([two.id, two.id, two.id, two.id, null]);
  await here.owner.patch(`P/issues/${story.key}`, { epic: null }).expect(200);
  expect(await epicsOf(here, story, task, subtask, other, none)).toEqual([null, null, null, two.id, null]);

  const told = await here.sql(
    `select data ->> 'key' as key, changed from event where project_id = $1 and type = 'issue.updated' order by id`,
    [here.project.id],
  );
  const changed = ["epic_id"];
  for (const { key } of [story, task, subtask]) {
    expect(told.filter((event) => event.key === key)).toEqual([
      { key, changed },
      { key, changed },
    ]);
  }
  expect(told).toHaveLength(6);
  const { data } = await here.owner.get(`P/issues/${subtask.key}/activity`).expect(200);
  expect(data[0]).toMatchObject({
    kind: "parent_changed",
    payload: { field: "epic_id", from: two.id, to: null, from_name: two.key, to_name: null },
  });
  expect((await read(here, subtask.key)).version).toBe(3);
});

test("an issue that moves takes the epic of its new parent, with all that follow it", async () => {
  const here = await world();
  const [one, two, three] = [await epic(here), await epic(here), await epic(here)];
  const [first, second] = [await file(here, { parent: one.key }), await file(here, { epic: two.key })];
  const task = await file(here, { parent: first.key });
  const own = await file(here, { parent: first.key, epic: three.key });
  const below = await file(here, { parent: task.key });
  for (const moved of [task, own]) {
    const { data } = await here.owner.patch(`P/issues/${moved.key}`, { parent: second.key }).expect(200);
    expect(data).toMatchObject({ parent_id: second.id, epic_id: moved === own ? three.id : two.id });
  }
  expect(await epicsOf(here, task, below, own)).toEqual([two.id, two.id, three.id]);

  // Given its parent's epic, an issue follows again.
  await here.owner.patch(`P/issues/${own.key}`, { epic: two.key }).expect(200);
  await here.owner.patch(`P/issues/${second.key}`, { parent: one.key, epic: three.key }).expect(200);
  expect(await epicsOf(here, second, task, below, own)).toEqual([three.id, three.id, three.id, three.id]);
  // Without a parent, there is nothing to follow.
  await here.owner.patch(`P/issues/${task.key}`, { parent: null }).expect(200);
  expect(await epicsOf(here, task, below)).toEqual([null, null]);
  await here.owner.patch(`P/issues/${task.key}`, { parent: first.key, epic: two.key }).expect(200);
  expect(await epicsOf(here, task, below)).toEqual([two.id, two.id]);
});

test("children that an issue gets as an epic belong to it, and archived ones follow, too", async () => {
  const here = await world();
  const parent = await file(here);
  const child = await file(here, { parent: parent.key });
  const archived = await file(here, { parent: child.key });
  await here.owner.delete(`P/issues/${archived.key}`).expect(200);
  const { data } = await here.owner.patch(`P/issues/${parent.key}`, { type: "epic" }).expect(200);
  expect(data.epic_id).toBeNull();
  expect(await epicsOf(here, child)).toEqual([parent.id]);
  expect((await read(here, parent.key)).children).toEqual({ total: 1, done: 0, cancelled: 0 });
  const back = await here.owner.post(`P/issues/${archived.key}/restore`).expect(200);
  expect(back.data.epic_id).toBe(parent.id);
  expect((await read(here, parent.key)).children).toEqual({ total: 2, done: 0, cancelled: 0 });

  // An epic to which issues belong stays one.
  const refused = await here.owner.patch(`P/issues/${parent.key}`, { type: "task" }).expect(400, "validation_failed");
  expect(refused.body.error.details.errors).toMatchObject([{ path: "/type", code: "not_allowed" }]);
  await here.owner.patch(`P/issues/${child.key}`, { epic: null }).expect(200);
  expect((await read(here, parent.key)).children).toEqual({ total: 0, done: 0, cancelled: 0 });
  const task = await here.owner.patch(`P/issues/${parent.key}`, { type: "task" }).expect(200);
  expect((await read(here, task.data.key)).children).toEqual({ total: 1, done: 0, cancelled: 0 });
});

test("an epic counts the issues that belong to it, at any depth", async () => {
  const here = await world();
  const [one, two] = [await epic(here), await epic(here)];
  const story = await file(here, { epic: one.key });
  const task = await file(here, { parent: story.key });
  await file(here, { parent: one.key, epic: two.key });
  const counts = async () =>
    (await Promise.all([one, two, story].map(({ key }) => read(here, key)))).map(({ children }) => [
      children.total,
      children.done,
    ]);
  expect(await counts()).toEqual([
    [2, 0],
    [1, 0],
    [1, 0],
  ]);
  await here.owner.post(`P/issues/${task.key}/transition`, { status: "done" }).expect(200);
  expect(await counts()).toEqual([
    [2, 1],
    [1, 0],
    [1, 1],
  ]);
  await here.owner.patch(`P/issues/${story.key}`, { epic: two.key }).expect(200);
  expect(await counts()).toEqual([
    [0, 0],
    [3, 1],
    [1, 1],
  ]);
  await here.owner.delete(`P/issues/${task.key}`).expect(200);
  expect(await counts()).toEqual([
    [0, 0],
    [2, 0],
    [0, 0],
  ]);
  await here.owner.post(`P/issues/${task.key}/restore`).expect(200);
  expect(await counts()).toEqual([
    [0, 0],
    [3, 1],
    [1, 1],
  ]);

  const bulk = [
    { title: "Epic", type: "epic" },
    { title: "Story", parent: "#0" },
    { title: "Subtask", type: "subtask", parent: "#1", status: "done" },
    { title: "Other", epic: "#0" },
  ];
  const { data } = (await here.owner.post("P/issues/bulk", { items: bulk }).expect(201)).body;
  const children = data.map(({ data }: { data: Body }) => data.children);
  expect(children).toMatchObject([{ total: 3, done: 1 }, { total: 1, done: 1 }, { total: 0 }, { total: 0 }]);
  expect((await read(here, data[0].data.key)).children).toEqual({ total: 3, done: 1, cancelled: 0 });
  expect(await epicsOf(here, data[2].data, data[3].data)).toEqual([data[0].data.id, data[0].data.id]);
});

test("parents and epics count their cancelled issues, so that they are complete when the others are done", async () => {
  const here = await world();
  const { owner, columns } = here;
  const [one, two] = [await epic(here), await epic(here)];
  const story = await file(here, { epic: one.key });
  const [first, second] = [await file(here, { parent: story.key }), await file(here, { parent: story.key })];
  const counts = async () =>
    (await Promise.all([one, two, story].map(({ key }) => read(here, key)))).map(({ children }) => [
      children.total,
      children.done,
      children.cancelled,
    ]);
  const move = (key: string, status: string) => owner.post(`P/issues/${key}/transition`, { status }).expect(200);
  await move(first.key, "done");
  await move(second.key, "cancelled");
  expect(await counts()).toEqual([
    [3, 1, 1],
    [0, 0, 0],
    [2, 1, 1],
  ]);
  await move(second.key, "todo");
  expect(await counts()).toEqual([
    [3, 1, 0],
    [0, 0, 0],
    [2, 1, 0],
  ]);
  await move(first.key, "cancelled");
  expect(await counts()).toEqual([
    [3, 0, 1],
    [0, 0, 0],
    [2, 0, 1],
  ]);
  await owner.delete(`P/issues/${first.key}`).expect(200);
  expect(await counts()).toEqual([
    [2, 0, 0],
    [0, 0, 0],
    [1, 0, 0],
  ]);
  await owner.post(`P/issues/${first.key}/restore`).expect(200);
  expect(await counts()).toEqual([
    [3, 0, 1],
    [0, 0, 0],
    [2, 0, 1],
  ]);

  // To another epic: below its own parent at first, then with its parent.
  await owner.patch(`P/issues/${first.key}`, { parent: two.key, epic: two.key }).expect(200);
  expect(await counts()).toEqual([
    [2, 0, 0],
    [1, 0, 1],
    [1, 0, 0],
  ]);
  await owner.patch(`P/issues/${first.key}`, { parent: story.key, epic: one.key }).expect(200);
  await owner.patch(`P/issues/${story.key}`, { epic: two.key }).expect(200);
  expect(await counts()).toEqual([
    [0, 0, 0],
    [3, 0, 1],
    [2, 0, 1],
  ]);
  await owner.patch(`P/issues/${story.key}`, { type: "epic", epic: null }).expect(200);
  expect(await counts()).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [2, 0, 1],
  ]);

  // A column that becomes one of cancelled issues, and is deleted.
  await owner.patch(`P/statuses/${columns["To Do"]}`, { category: "cancelled" }).expect(200);
  expect(await counts()).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [2, 0, 2],
  ]);
  await owner.delete(`P/statuses/${columns["To Do"]}`).expect(200);
  expect(await counts()).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [1, 0, 1],
  ]);

  const bulk = [
    { title: "Epic", type: "epic" },
    { title: "Story", parent: "#0", status: "cancelled" },
    { title: "Task", parent: "#1", status: "done" },
  ];
  const { data } = (await owner.post("P/issues/bulk", { items: bulk }).expect(201)).body;
  const children = data.map(({ data: issue }: { data: Body }) => issue.children);
  expect(children).toMatchObject([{ total: 2, done: 1, cancelled: 1 }, { total: 1, done: 1 }, { total: 0 }]);
  await expectSoundCounts(here);
});

test("a subtask needs a parent", async () => {
  const here = await world();
  const parent = await file(here);
  const required = [{ path: "/parent", code: "required" }];
  const refused = async (reply: { expect(status: number, code: string): PromiseLike<{ body: Body }> }) =>
    expect((await reply.expect(400, "validation_failed")).body).toMatchObject({
      error: { details: { errors: required } },
    });
  await refused(here.owner.post("P/issues", { title: "x", type: "subtask" }));
  await refused(
    here.owner.post("P/issues", { title: "x", type: "subtask", parent: null, epic: (await epic(here)).key }),
  );
  await refused(here.owner.patch(`P/issues/${parent.key}`, { type: "subtask" }));
  const subtask = await file(here, { type: "subtask", parent: parent.key });
  await refused(here.owner.patch(`P/issues/${subtask.key}`, { parent: null }));
  await here.owner.patch(`P/issues/${subtask.key}`, { parent: null, type: "task" }).expect(200);
  await here.owner.patch(`P/issues/${subtask.key}`, { parent: parent.key, type: "subtask" }).expect(200);

  const items = [
    { title: "Alone", type: "subtask" },
    { title: "Top" },
    { title: "Below", type: "subtask", parent: "#1" },
  ];
  const { data } = (await here.owner.post("P/issues/bulk", { items }).expect(207)).body;
  expect(data.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true, true]);
  expect(data[0].error.details).toMatchObject({ errors: required });
});

test("a subtask that has had no parent for long can be changed otherwise", async () => {
  const here = await world();
  const old = await file(here);
  await here.sql(`update issue set type = 'subtask' where id = $1`, [old.id]);
  const shown = await read(here, old.key);
  const { data } = await here.owner.patch(`P/issues/${old.key}`, { ...shown, title: "Renamed" }).expect(200);
  expect(data).toMatchObject({ title: "Renamed", type: "subtask", parent_id: null });
});

test("a parent that many issues follow passes its epic on by a worker, in pieces that survive", async () => {
  const here = await world();
  const [one, two] = [await epic(here), await epic(here)];
  const story = await file(here, { epic: one.key });
  const items = Array.from({ length: 50 }, () => ({ title: "x", parent: story.key }));
  for (let n = 0; n < 5; n++) await here.owner.post("P/issues/bulk", { items }).expect(201);
  const [middle] = (await here.owner.get(`P/issues?parent=${story.key}&limit=1`).expect(200)).data;
  const deep = await file(here, { parent: middle.key });
  const own = await file(here, { parent: story.key, epic: one.key });
  await here.owner.patch(`P/issues/${own.key}`, { epic: null }).expect(200);

  const { data } = await here.owner.patch(`P/issues/${story.key}`, { epic: two.key }).expect(200);
  expect(data.epic_id).toBe(two.id);
  expect((await read(here, one.key)).children.total).toBe(251);
  await drain({ also: [passOnEpics] });
  const rows = await here.sql(
    `select epic_id, epic_number, version, count(*)::int as issues from issue
     where project_id = $1 and (parent_id = $2 or id = $3) group by 1, 2, 3 order by issues desc`,
    [here.project.id, story.id, deep.id],
  );
  expect(rows).toEqual([
    { epic_id: two.id, epic_number: two.number, version: 2, issues: 251 },
    { epic_id: null, epic_number: null, version: 2, issues: 1 },
  ]);
  expect((await read(here, one.key)).children.total).toBe(0);
  expect((await read(here, two.key)).children.total).toBe(252);
  const [told] = await here.sql(
    `select count(*)::int as events, count(distinct issue_id)::int as issues, min(actor_kind) as actor,
            count(*) filter (where actor_id = $2)::int as by_owner
     from event where project_id = $1 and type = 'issue.updated' and changed = array['epic_id']`,
    [here.project.id, here.owner.userId],
  );
  expect(told).toEqual({ events: 253, issues: 253, actor: "user", by_owner: 253 });
  expect(await here.sql(`select * from epic_change`)).toEqual([]);
});
