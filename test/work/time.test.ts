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

test("minutes are taken as people write times, and another text is answered with the forms", async () => {
  const here = await world();
  const issue = await file(here, { estimate_minutes: "2d 4h", spent_minutes: "90" });
  expect(issue).toMatchObject({ estimate_minutes: 1200, spent_minutes: 90 });
  const path = `P/issues/${issue.key}`;
  const times = { "1.5h": 90, "1,5 h": 90, "90m": 90, "3\u00a0h 30 min": 210, "1:30": 90, " 45 ": 45 };
  for (const [text, minutes] of Object.entries(times)) {
    const { data } = await here.owner.post(`${path}/time/entries`, { minutes: text }).expect(201);
    expect(data.minutes).toBe(minutes);
  }
  const { data: entry } = await here.owner.post(`${path}/time/entries`, { minutes: "-0.25h" }).expect(201);
  expect(entry.minutes).toBe(-15);
  const { data: log } = await here.owner.patch(`${path}/time`, { log: { minutes: "1h" }, remaining_minutes: "1 d" });
  expect(log).toMatchObject({ remaining_minutes: 480 });
  expect((await here.owner.patch(path, { estimate_minutes: "1 day" }).expect(200)).data.estimate_minutes).toBe(480);
  expect((await here.owner.patch(path, { estimate_minutes: null }).expect(200)).data.estimate_minutes).toBeNull();

  const refusals: [unknown, string, RegExp][] = [
    ["soon", "pattern", /3 h 30 min, 1\.5 h, 45 min or 2 d 4 h; a day has 8 hours/],
    ["", "pattern", /1\.5 h/],
    ["1.5:30", "pattern", /1\.5 h/],
    ["9".repeat(100_000), "too_long", /40/],
    ["-5m", "too_small", /at least 0/],
    ["999999d", "too_large", /at most 525600/],
    [1.5, "type", /integer/],
    [true, "type", /number or a string/],
  ];
  for (const [estimate_minutes, code, message] of refusals) {
    const { body } = await here.owner.patch(path, { estimate_minutes }).expect(400, "validation_failed");
    const errors = [{ path: "/estimate_minutes", code, message: expect.stringMatching(message) }];
    expect(body.error.details.errors).toMatchObject(errors);
  }
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

test("logging lowers the remaining time that was set, never below 0, and taking back raises it", async () => {
  const here = await world();
  const issue = await file(here, { estimate_minutes: 100 });
  const path = `P/issues/${issue.key}/time`;
  const left = async (body: object) => (await here.owner.patch(path, body).expect(200)).data.remaining_minutes;
  expect(await left({ log: { minutes: 40 } })).toBe(60);
  expect(await left({ remaining_minutes: 50 })).toBe(50);
  expect(await left({ log: { minutes: 30 } })).toBe(20);
  expect(await left({ log: { minutes: 30 } })).toBe(0);
  expect(await left({ log: { minutes: -10 } })).toBe(10);
  // What the same call sets is meant as it is.
  expect(await left({ log: { minutes: 5 }, remaining_minutes: 15 })).toBe(15);
  expect(await left({ remaining_minutes: null })).toBe(5);
});

test("nobody but an admin takes back minutes of somebody else", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  const [ann, bo] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const admin = await here.as({ role: "admin" });
  const { id } = (await ann.patch(path, { log: { minutes: 30 } }).expect(200)).data.entries[0];
  await bo.patch(path, { log: { minutes: 20 } }).expect(200);
  const refused = async (body: object, at: string, minimum: number) => {
    const reply = await bo.patch(path, body).expect(400, "validation_failed");
    expect(reply.body.error.details.errors).toMatchObject([{ path: at, code: "too_small", minimum }]);
  };
  await refused({ log: { minutes: -21 } }, "/log/minutes", -20);
  await refused({ spent_minutes: 29 }, "/spent_minutes", 30);
  await refused({ spent_minutes: null }, "/spent_minutes", 30);
  await bo.patch(`P/issues/${issue.key}`, { spent_minutes: 0 }).expect(400, "validation_failed");
  await bo.patch(`${path}/entries/${id}`, { minutes: 1 }).expect(403, "not_owner_of_resource");
  await bo.delete(`${path}/entries/${id}`).expect(403, "not_owner_of_resource");
  expect((await bo.patch(path, { spent_minutes: 30 }).expect(200)).data.spent_minutes).toBe(30);
  await refused({ log: { minutes: -20 } }, "/log/minutes", 0);
  await admin.patch(path, { spent_minutes: 50 }).expect(200);
  expect((await bo.patch(path, { log: { minutes: -20 } }).expect(200)).data.spent_minutes).toBe(30);
  await refused({ log: { minutes: -1 } }, "/log/minutes", 0);

  await admin.patch(path, { log: { minutes: -10 } }).expect(200);
  await admin.patch(`${path}/entries/${id}`, { minutes: 50 }).expect(200);
  expect((await admin.get(path).expect(200)).data.spent_minutes).toBe(40);
});

test("nobody takes back minutes of somebody else by deleting or correcting entries of their own", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  const [ann, bo] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const log = async (minutes: number) => (await bo.post(`${path}/entries`, { minutes }).expect(201)).data;
  await ann.patch(path, { log: { minutes: 50 } }).expect(200);
  const spent = async () => (await ann.get(path).expect(200)).data.spent_minutes;

  const [first, back] = [await log(100), await log(-100)];
  await bo.delete(`${path}/entries/${first.id}`).expect(400, "validation_failed");
  await bo.patch(`${path}/entries/${first.id}`, { minutes: 10 }).expect(400, "validation_failed");
  expect(await spent()).toBe(50);
  for (const { id } of [back, first]) await bo.delete(`${path}/entries/${id}`).expect(200);
  expect(await spent()).toBe(50);

  // The total was lowered after the entry was written, so its minutes are gone already.
  const second = await log(100);
  await bo.patch(path, { spent_minutes: 70 }).expect(200);
  await bo.patch(`${path}/entries/${second.id}`, { minutes: 90 }).expect(200);
  expect(await spent()).toBe(60);
  await bo.delete(`${path}/entries/${second.id}`).expect(200);
  expect(await spent()).toBe(50);
});

test("time is not spent on a day that has not begun anywhere", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  const dayIn = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 10);
  await here.owner.patch(path, { log: { minutes: 1, spent_on: dayIn(13) } }).expect(200);
  for (const call of [
    here.owner.patch(path, { log: { minutes: 1, spent_on: dayIn(39) } }),
    here.owner.post(`${path}/entries`, { minutes: 1, spent_on: "9999-12-31" }),
  ]) {
    const { body } = await call.expect(400, "validation_failed");
    expect(body.error.details.errors).toMatchObject([{ path: expect.stringMatching(/spent_on$/), code: "too_large" }]);
    expect(body.detail).toMatch(/spent_on must not be in the future$/);
  }
});

test("single entries are corrected and deleted, and the issue follows", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  const ann = await here.as({ role: "member" });
  await ann.patch(path, { remaining_minutes: 100 }).expect(200);
  const { data: entry } = await ann
    .post(`${path}/entries`, { minutes: 30, note: "Lock", spent_on: "2026-01-02" })
    .expect(201);
  expect(entry).toEqual({ id: entry.id, author_id: ann.userId, minutes: 30, note: "Lock", spent_on: "2026-01-02" });
  const one = `${path}/entries/${entry.id}`;
  const times = async () => {
    const { spent_minutes, remaining_minutes, entries } = (await ann.get(path).expect(200)).data;
    return [spent_minutes, remaining_minutes, entries.length];
  };
  expect(await times()).toEqual([30, 70, 1]);
  const longer = await ann.patch(one, { ...entry, minutes: 45 }).expect(200);
  expect(longer.data).toEqual({ ...entry, minutes: 45 });
  expect(await times()).toEqual([45, 55, 1]);
  const told = await eventsOf(here);
  expect(told.at(-1)).toMatchObject({
    changed: expect.arrayContaining(["spent_minutes", "remaining_minutes"]),
    previous: { spent_minutes: 30, remaining_minutes: 70 },
  });

  // A note is told, too, although no field of the issue changes; nothing at all is not.
  await ann.patch(one, { note: null, spent_on: "2026-01-03" }).expect(200);
  await ann.patch(one, { note: "" }).expect(200);
  expect((await ann.get(one).expect(200)).data).toEqual({ ...entry, minutes: 45, note: null, spent_on: "2026-01-03" });
  expect((await eventsOf(here)).slice(told.length)).toEqual([{ changed: ["time_entries"], previous: {}, spent: "45" }]);
  const { data: lines } = await ann.get(`P/issues/${issue.key}/activity`).expect(200);
  expect(lines[0]).toMatchObject({ kind: "updated", payload: { field: "time_entries", entry_id: entry.id } });

  expect((await ann.delete(one).expect(200)).data).toEqual({ id: entry.id, deleted: true });
  await ann.delete(one).expect(404);
  await ann.patch(one, { minutes: 1 }).expect(404);
  expect(await times()).toEqual([0, 100, 0]);
  await ann.patch(`${path}/entries/nonsense`, { minutes: 1 }).expect(404);
});

test("a correction gives back what the entry took from the remaining time, not more", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time`;
  const left = async () => (await here.owner.get(path).expect(200)).data.remaining_minutes;
  await here.owner.patch(path, { remaining_minutes: 10 }).expect(200);
  const log = async (minutes: number) =>
    `${path}/entries/${(await here.owner.post(`${path}/entries`, { minutes }).expect(201)).data.id}`;
  const typo = await log(60);
  expect(await left()).toBe(0);
  await here.owner.patch(typo, { minutes: 6 }).expect(200);
  expect(await left()).toBe(4);
  await here.owner.patch(typo, { note: "The lock" }).expect(200);
  expect(await left()).toBe(4);
  await here.owner.patch(typo, { minutes: 90 }).expect(200);
  expect(await left()).toBe(0);
  await here.owner.delete(typo).expect(200);
  expect(await left()).toBe(10);

  // A rest that was set with the entry stays as it was set.
  await here.owner.patch(path, { log: { minutes: 5 }, remaining_minutes: 30 }).expect(200);
  const { entries } = (await here.owner.get(path).expect(200)).data;
  await here.owner.delete(`${path}/entries/${entries[0].id}`).expect(200);
  expect(await left()).toBe(30);
});

test("an entry of another issue is not found, and a total that was set takes back no more than is left", async () => {
  const here = await world();
  const [one, two] = [await file(here), await file(here)];
  const { data: entry } = await here.owner.post(`P/issues/${one.key}/time/entries`, { minutes: 30 }).expect(201);
  await here.owner.get(`P/issues/${two.key}/time/entries/${entry.id}`).expect(404);
  await here.owner.delete(`P/issues/${two.key}/time/entries/${entry.id}`).expect(404);
  await here.owner.patch(`P/issues/${one.key}/time`, { spent_minutes: 10 }).expect(200);
  await here.owner.delete(`P/issues/${one.key}/time/entries/${entry.id}`).expect(200);
  expect((await here.owner.get(`P/issues/${one.key}/time`).expect(200)).data.spent_minutes).toBe(0);
});

test("the list of entries has pages, newest first", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time/entries`;
  for (let n = 1; n <= 5; n++) await here.owner.post(path, { minutes: n }).expect(201);
  const minutes = (reply: { data: { minutes: number }[] }) => reply.data.map((entry) => entry.minutes);
  const first = await here.owner.get(`${path}?limit=3`).expect(200);
  expect(minutes(first)).toEqual([5, 4, 3]);
  const rest = await here.owner.get(`${path}?limit=3&cursor=${first.body.pagination.next_cursor}`).expect(200);
  expect(minutes(rest)).toEqual([2, 1]);
});

test("sums stay exact when entries are added, corrected and deleted at once", async () => {
  const here = await world();
  const issue = await file(here);
  const path = `P/issues/${issue.key}/time/entries`;
  const entries: { id: string }[] = [];
  for (let n = 0; n < 12; n++) entries.push((await here.owner.post(path, { minutes: 10 }).expect(201)).data);
  const calls = entries.flatMap(({ id }, n) => [
    () => (n % 2 === 0 ? here.owner.patch(`${path}/${id}`, { minutes: 10 + n }) : here.owner.delete(`${path}/${id}`)),
    () => here.owner.post(path, { minutes: 1 }),
    () => (n % 3 === 0 ? here.owner.delete(`${path}/${id}`) : here.owner.patch(`${path}/${id}`, { minutes: 3 })),
  ]);
  for (const { status } of await Promise.all(calls.map((call) => served(call))))
    expect([200, 201, 404]).toContain(status);
  const { data } = await here.owner.get(`P/issues/${issue.key}/time`).expect(200);
  const sum = data.entries.reduce((total: number, entry: { minutes: number }) => total + entry.minutes, 0);
  expect(data.spent_minutes).toBe(sum);
});
