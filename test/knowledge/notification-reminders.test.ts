import { expect, test } from "vitest";
import { remind, worker } from "../../src/workers/knowledge/remind.ts";
import type { JobInfo } from "../../src/workers/worker.ts";
import { background } from "../support/buyer.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { type World, world } from "../support/world.ts";

/** Notifications of due dates. Time passes by moving the stored times back. */

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

/** Titles of a client's notifications of due dates, oldest first. */
async function titlesOf(client: Client): Promise<string[]> {
  const { data } = await client.get("W/notifications").expect(200);
  const due = data.filter(({ kind }: { kind: string }) => kind === "due_soon" || kind === "overdue");
  return due.map(({ title }: { title: string }) => title).reverse();
}

/** `10 Dec 2026, 14:00`. */
const inWords = (at: string, timeZone = "UTC") =>
  `${dayOf(at, timeZone)}, ${new Date(at).toLocaleTimeString("en-GB", { timeStyle: "short", timeZone })}`;
const dayOf = (at: string, timeZone = "UTC") =>
  new Date(at).toLocaleDateString("en-GB", { dateStyle: "medium", timeZone }).replace("Sept", "Sep");

const hoursUntil = (at: string) => (Date.parse(at) - Date.now()) / HOUR;

/** Moves the reminders of a workspace as if hours had passed, and lets the worker find them. */
async function pass({ sql, workspace }: World, hours: number): Promise<void> {
  await sql(
    `update reminder set next_at = next_at - $2 * interval '1 hour', ends_at = ends_at - $2 * interval '1 hour'
     where workspace_id = $1`,
    [workspace.id, hours],
  );
  await drain({ also: [remind] });
}

test("an issue's assignees are notified a day before it is due and when it is overdue, once each", async () => {
  const here = await world();
  const [ada, bob] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  const due_at = inHours(48);
  const { data } = await here.owner
    .post("P/issues", { title: "Tag", assignee_ids: [ada.userId, bob.userId], due_at })
    .expect(201);
  await pass(here, 0);
  expect(await titlesOf(ada)).toEqual([]);
  const day = inWords(due_at);
  await pass(here, 25);
  expect(await titlesOf(ada)).toEqual([`${data.key} is due on ${day}`]);
  await pass(here, 1);
  await here.owner.patch(`P/issues/${data.key}`, { title: "Still the same date" }).expect(200);
  await pass(here, 23);
  for (const client of [ada, bob]) {
    expect(await titlesOf(client)).toEqual([`${data.key} is due on ${day}`, `${data.key} is overdue since ${day}`]);
  }
  expect(await titlesOf(here.owner)).toEqual([]);
  await pass(here, 100);
  expect(await titlesOf(ada)).toHaveLength(2);
  expect(await here.sql("select 1 from reminder where workspace_id = $1", [here.workspace.id])).toEqual([]);
});

test("another due date notifies again; the same one does not, also when the issue was closed in between", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const due_at = inHours(12);
  const { data } = await here.owner.post("P/issues", { title: "x", assignee: ada.userId, due_at }).expect(201);
  const path = `P/issues/${data.key}`;
  await pass(here, 0);
  expect(await titlesOf(ada)).toHaveLength(1);
  await here.owner.patch(path, { due_at: null }).expect(200);
  await here.owner.patch(path, { due_at }).expect(200);
  await here.owner.patch(path, { status_id: here.columns.Done }).expect(200);
  await here.owner.patch(path, { status_id: here.columns["To Do"] }).expect(200);
  await pass(here, 0);
  expect(await titlesOf(ada)).toHaveLength(1);
  await here.owner.patch(path, { due_at: inHours(13) }).expect(200);
  await pass(here, 0);
  expect(await titlesOf(ada)).toHaveLength(2);
});

test("reminders of days move with the zone of the workspace and of the person, and those of instants stay", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const file = async (due_at: string, assignee: string) =>
    (await here.owner.post("P/issues", { title: "x", due_at, assignee }).expect(201)).data.id as string;
  const ids = [
    await file("2040-03-10", here.owner.userId),
    await file("2040-03-10T00:00:00Z", here.owner.userId),
    await file("2040-03-10", ada.userId),
  ];
  const ends = async () => {
    await worker.handle(await background(), {}, { id: "1", stopping: new AbortController().signal } as JobInfo);
    const rows = await here.sql<{ issue_id: string; ends_at: string; next_at: string }>(
      "select * from reminder where issue_id = any($1::uuid[])",
      [ids],
    );
    return ids.map((id) => {
      const { ends_at, next_at } = rows.find(({ issue_id }) => issue_id === id)!;
      return [ends_at, next_at].map((at) => at.slice(5, 13));
    });
  };
  const [utc, instant] = [
    ["03-11T00", "03-09T00"],
    ["03-10T00", "03-09T00"],
  ];
  expect(await ends()).toEqual([utc, instant, utc]);
  await here.owner.patch("W", { timezone: "Pacific/Kiritimati" }).expect(200);
  const east = ["03-10T10", "03-08T10"];
  expect(await ends()).toEqual([east, instant, east]);
  await here.sql("update app_user set timezone = 'Pacific/Pago_Pago' where id = $1", [ada.userId]);
  const west = ["03-11T11", "03-09T11"];
  expect(await ends()).toEqual([east, instant, west]);
  // A due date that was announced is announced again only when it has passed.
  await here.sql("update reminder set next_at = ends_at where issue_id = $1", [ids[2]]);
  await here.sql("update app_user set timezone = null where id = $1", [ada.userId]);
  expect((await ends())[2]).toEqual([east[0], east[0]]);
  expect(await here.sql("select 1 from zone_change where workspace_id = $1", [here.workspace.id])).toEqual([]);
});

test("closed and archived issues, and those of archived projects, notify nobody", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const body = { title: "x", assignee: ada.userId, due_at: inHours(48) };
  const [done, gone] = [
    (await here.owner.post("P/issues", body).expect(201)).data.key,
    (await here.owner.post("P/issues", body).expect(201)).data.key,
  ];
  await here.owner.patch(`P/issues/${done}`, { status_id: here.columns.Done }).expect(200);
  await here.owner.delete(`P/issues/${gone}`).expect(200);
  await pass(here, 100);
  await here.owner.post("P/issues", body).expect(201);
  await here.owner.delete("P").expect(200);
  await pass(here, 100);
  expect(await titlesOf(ada)).toEqual([]);
});

test("a day includes all of its hours, and the reporter stands in for missing assignees", async () => {
  const here = await world();
  const today = new Date().toISOString().slice(0, 10);
  const { data } = await here.owner.post("P/issues", { title: "x", due_at: today }).expect(201);
  await here.owner.post("P/issues", { title: "long ago", due_at: "2020-01-01" }).expect(201);
  await pass(here, 0);
  expect(await titlesOf(here.owner)).toEqual([`${data.key} is due on ${dayOf(today)}`]);
  await pass(here, 24);
  expect(await titlesOf(here.owner)).toHaveLength(2);
});

test("a worker that was frozen does not announce a due date that has changed meanwhile", async () => {
  const here = await world();
  const ada = await here.as({ role: "member" });
  const { data } = await here.owner
    .post("P/issues", { title: "x", assignee: ada.userId, due_at: inHours(48) })
    .expect(201);
  await drain();
  const release = await hold("lock table project in access exclusive mode");
  const passed = pass(here, 25);
  await waitersFor(here, 1);
  const later = inHours(20 * 24);
  await here.sql("update issue set due_at = $2 where id = $1", [data.id, later]);
  await release();
  await passed;
  expect(await titlesOf(ada)).toEqual([]);
  await pass(here, 19.5 * 24);
  expect(await titlesOf(ada)).toEqual([`${data.key} is due on ${inWords(later)}`]);
});

test("each reader gets the time of a due date in their own zone, else in the workspace's; a whole day is the same for all", async () => {
  const here = await world();
  const [ada, bob] = [await here.as({ role: "member" }), await here.as({ role: "member" })];
  await here.sql("update app_user set timezone = 'Pacific/Honolulu' where id = $1", [ada.userId]);
  await here.sql("update workspace set timezone = 'Asia/Tokyo' where id = $1", [here.workspace.id]);
  const assignee_ids = [ada.userId, bob.userId];
  const due_at = `${inHours(72).slice(0, 10)}T00:30:00Z`;
  const day = inHours(96).slice(0, 10);
  await here.owner.post("P/issues", { title: "x", assignee_ids, due_at }).expect(201);
  await pass(here, hoursUntil(due_at) - 12);
  await here.owner.post("P/issues", { title: "y", assignee_ids, due_at: day }).expect(201);
  await pass(here, hoursUntil(day) - 12);
  expect((await titlesOf(ada))[0]).toBe(`WEB-1 is due on ${inWords(due_at, "Pacific/Honolulu")}`);
  expect((await titlesOf(bob))[0]).toBe(`WEB-1 is due on ${inWords(due_at, "Asia/Tokyo")}`);
  for (const person of [ada, bob]) expect(await titlesOf(person)).toContain(`WEB-2 is due on ${dayOf(day)}`);
});

test("reminders that are not due stay as they are when another one becomes due", async () => {
  const here = await world();
  const keys: string[] = [];
  for (const hours of [48, 72, 96]) {
    const { data } = await here.owner.post("P/issues", { title: "x", due_at: inHours(hours) }).expect(201);
    keys.push(data.key);
  }
  await here.sql(
    "update reminder set next_at = now() where due_at = (select due_at from issue where key = $2 and workspace_id = $1)",
    [here.workspace.id, keys[1]],
  );
  const others = () =>
    here.sql(
      "select r.* from reminder r join issue i on i.id = r.issue_id where i.workspace_id = $1 and i.key <> $2 order by r.due_at",
      [here.workspace.id, keys[1]],
    );
  const before = await others();
  await pass(here, 0);
  expect(await titlesOf(here.owner)).toEqual([expect.stringMatching(/^WEB-2 is due on/)]);
  expect(await others()).toEqual(before);
});
