import { expect, test } from "vitest";
import { browser } from "../support/browser.ts";
import { drain } from "../support/jobs.ts";
import { open, sendForm } from "../support/page-forms.ts";
import { make, makeSprint, plan, report } from "../support/reports.ts";
import { type World, world } from "../support/world.ts";

const NEW_YORK = "America/New_York";

/** Makes an issue that was created, and done, at an instant. */
async function doneAt(here: World, at: string): Promise<string> {
  const key = await make(here, { status: "done" });
  const times = "created_at = $2, started_at = $2, resolved_at = $2";
  await here.sql(`update issue set ${times} where project_id = $3 and key = $1`, [key, at, here.project.id]);
  return key;
}

test("days of throughput and cycle time are the workspace's, or those of tz", async () => {
  const here = await world();
  // Tuesday evening in New York, Wednesday in UTC and in Kiritimati.
  await doneAt(here, "2026-03-11T02:00:00Z");
  const days = async (more = "") => {
    const { data } = (await here.owner.get(`P/reports/throughput?interval=day&from=2026-03-10&to=2026-03-11${more}`))
      .data;
    return data.weeks.map(({ week_start, done }: { week_start: string; done: number }) => [week_start, done]);
  };
  const [tuesday, wednesday] = ["2026-03-10", "2026-03-11"];
  expect(await days()).toEqual([
    [tuesday, 0],
    [wednesday, 1],
  ]);
  expect(await days(`&tz=${NEW_YORK}`)).toEqual([
    [tuesday, 1],
    [wednesday, 0],
  ]);
  await here.owner.patch("W", { timezone: NEW_YORK }).expect(200);
  expect(await days()).toEqual([
    [tuesday, 1],
    [wednesday, 0],
  ]);
  expect(await days("&tz=UTC")).toEqual([
    [tuesday, 0],
    [wednesday, 1],
  ]);
  const count = async (more: string) =>
    (await here.owner.get(`P/reports/cycle-time?from=2026-03-10&to=2026-03-10${more}`)).data.data.count;
  expect(await count("")).toBe(1);
  expect(await count("&tz=Pacific/Kiritimati")).toBe(0);
  const { body } = await here.owner.get("P/reports/throughput?tz=Europe/Berlim").expect(400, "invalid_parameter");
  expect(body.error.details).toMatchObject({ parameter: "tz", did_you_mean: "Europe/Berlin" });
});

test.each([
  // Days of 23 and of 25 hours, a half hour, and both ends of the earth.
  [NEW_YORK, "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z"],
  [NEW_YORK, "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T04:59:59Z"],
  ["Asia/Kolkata", "2026-06-01", "2026-05-31T18:30:00Z", "2026-06-01T18:29:59Z"],
  ["Pacific/Tongatapu", "2026-06-01", "2026-05-31T11:00:00Z", "2026-06-01T10:59:59Z"],
  ["Pacific/Pago_Pago", "2026-06-01", "2026-06-01T11:00:00Z", "2026-06-02T10:59:59Z"],
])("a day in %s, %s, begins and ends at its midnights", async (zone, day, first, last) => {
  const here = await world();
  await doneAt(here, first);
  await doneAt(here, last);
  await doneAt(here, new Date(Date.parse(first) - 1000).toISOString());
  await doneAt(here, new Date(Date.parse(last) + 1000).toISOString());
  const path = `P/reports/throughput?interval=day&from=${day}&to=${day}&tz=${zone}`;
  expect((await here.owner.get(path)).data.data.weeks).toMatchObject([{ week_start: day, created: 2, done: 2 }]);
});

test("a burndown counts days of the zone, and a sprint that is planned in days begins with its day", async () => {
  const here = await world();
  const sprint_id = await makeSprint(here, { name: "One", start_at: "2026-03-09", end_at: "2026-03-11" });
  await make(here, { sprint_id });
  const { data } = (await here.owner.get(`P/reports/burndown?sprint=${sprint_id}&tz=${NEW_YORK}`)).data;
  expect(data.points[0].date).toBe("2026-03-09");
  await plan(here, sprint_id, { status: "active" });
  const { points } = (await report(here, "burndown")).data;
  expect(points.length).toBeGreaterThan(0);
});

test("a time entry without a day is of the day that it is for the person", async () => {
  const here = await world();
  const key = await make(here);
  const logged = async () => {
    await here.sql("delete from time_entry where workspace_id = $1", [here.workspace.id]);
    const { data } = await here.owner.patch(`P/issues/${key}/time`, { log: { minutes: 5 } }).expect(200);
    return data.entries[0].spent_on;
  };
  const today = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());
  await here.owner.patch("W", { timezone: "Pacific/Kiritimati" }).expect(200);
  expect(await logged()).toBe(today("Pacific/Kiritimati"));
  await here.sql("update app_user set timezone = 'Pacific/Pago_Pago' where id = $1", [here.owner.userId]);
  expect(await logged()).toBe(today("Pacific/Pago_Pago"));
});

test("due_before a day lists earlier days, and instants before the day begins in the workspace's zone", async () => {
  const here = await world();
  const before = async (sort: string) => {
    const { data } = await here.owner.get(`P/issues?due_before=2031-01-02&sort=${sort}`).expect(200);
    return data.map(({ title }: { title: string }) => title).sort();
  };
  for (const due_at of [
    "2031-01-01",
    "2031-01-02",
    "2031-01-01T09:00:00Z",
    "2031-01-01T11:00:00Z",
    "2031-01-02T04:00:00Z",
  ])
    await make(here, { title: due_at, due_at });
  const [day, first, second, third] = [
    "2031-01-01",
    ...["01T09", "01T11", "02T04"].map((at) => `2031-01-${at}:00:00Z`),
  ];
  const zones = {
    UTC: [day, first, second],
    [NEW_YORK]: [day, first, second, third],
    "Pacific/Kiritimati": [day, first],
  };
  for (const [timezone, expected] of Object.entries(zones)) {
    await here.owner.patch("W", { timezone }).expect(200);
    for (const sort of ["rank", "due_asc"]) expect(await before(sort), `${timezone} ${sort}`).toEqual(expected);
  }
});

test("a goal that is due on a day is off track when the day is over in the workspace's zone", async () => {
  const here = await world();
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());
  const body = { title: "x", cycle_due_at: dayIn("Pacific/Pago_Pago"), progress_override: 50 };
  const { data: goal } = await here.owner.post("W/goals", body).expect(201);
  const statusIn = async (timezone: string) => {
    await here.owner.patch("W", { timezone }).expect(200);
    return (await here.owner.get(`W/goals/${goal.id}`).expect(200)).data.status;
  };
  expect(await statusIn("Pacific/Kiritimati")).toBe("off_track");
  expect(await statusIn("Pacific/Pago_Pago")).toBe("on_track");
});

test("texts of rules show a whole day as the day, and an instant in the workspace's zone", async () => {
  const here = await world();
  await here.owner.patch("W", { timezone: "Asia/Tokyo" }).expect(200);
  const action = { type: "add_comment", comment: "Due {{issue.due_at}}." };
  const rule = { name: "x", project_id: here.project.id, trigger: "issue.created", actions: [action], enabled: true };
  await here.owner.post("W/automations", rule).expect(201);
  const written = async (due_at: string) => {
    const key = await make(here, { due_at });
    await drain();
    return (await here.owner.get(`P/issues/${key}/comments`).expect(200)).data.map(
      ({ body_html }: { body_html: string }) => body_html.trim(),
    );
  };
  expect(await written("2031-01-01")).toEqual(["<p>Due 2031-01-01.</p>"]);
  expect(await written("2031-01-01T20:00:00Z")).toEqual(["<p>Due 2031-01-02 05:00 +09:00.</p>"]);
});

test.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])("forms in %s show and save the same day", async (zone) => {
  const here = await world();
  await here.owner.patch("W", { timezone: zone }).expect(200);
  const key = await make(here, { due_at: "2031-01-01", start_at: "2030-12-31T23:30:00Z" });
  const visitor = await browser(here.app, here.owner.userId);
  const dates = async () => {
    const { start_at, start_on, due_at, due_on } = (await here.owner.get(`P/issues/${key}`).expect(200)).data;
    return { start_at, start_on, due_at, due_on };
  };
  const before = await dates();
  const path = `/w/${here.workspace.slug}/p/web/${key}`;
  for (const [field, shown] of [
    ["due", "2031-01-01"],
    ["start", zone === "Pacific/Kiritimati" ? "2031-01-01" : "2030-12-31"],
  ] as const) {
    const page = await open(visitor, `${path}?edit=${field}`);
    expect(page.text).toContain(`name="${field}_at" value="${shown}"`);
    expect((await sendForm(visitor, page, { [`${field}_at`]: shown })).status).toBe(200);
    expect(await dates()).toEqual(before);
  }
  const page = await open(visitor, `${path}?edit=due`);
  await sendForm(visitor, page, { due_at: "2031-01-05" });
  expect(await dates()).toMatchObject({ due_on: "2031-01-05", due_at: "2031-01-05T00:00:00.000Z" });
});

test("an issue that is due on a day is overdue in the workload when the day is over in the zone", async () => {
  const here = await world();
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const dayIn = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date());
  // The two are 25 hours apart, so the day before the later one's today has not ended in the earlier one.
  const due_at = dayIn(zones[1]!);
  await make(here, { due_at, assignee: "me" });
  const overdue = async (zone: string) =>
    (await here.owner.get(`P/reports/workload?tz=${zone}`).expect(200)).data.data.rows[0].overdue;
  expect([await overdue(zones[0]!), await overdue(zones[1]!)]).toEqual([1, 0]);
});
