import { beforeAll, expect, test } from "vitest";
import { day, earlyEnough, pass } from "../support/history.ts";
import { change, inPoints, make, makeSprint, NAMES, plan } from "../support/reports.ts";
import { type World, world } from "../support/world.ts";

/** Parameters of reports: `from`, `to`, `sprint` and `interval`. */

beforeAll(earlyEnough, 120_000);

const read = async ({ owner }: World, query: string) => (await owner.get(`P/reports/${query}`).expect(200)).data;
const refused = async ({ owner }: World, query: string) =>
  (await owner.get(`P/reports/${query}`).expect(400, "invalid_parameter")).body;

const TAKES: Record<string, string[]> = {
  velocity: ["from", "to"],
  burndown: ["sprint"],
  "cycle-time": ["from", "to", "interval"],
  throughput: ["from", "to", "interval"],
  "status-breakdown": ["sprint"],
  "type-breakdown": ["sprint"],
  workload: ["sprint"],
};

test("each report takes what makes sense for it, shows it in params, and refuses the rest with what it takes", async () => {
  const here = await world();
  const sprint = await makeSprint(here, { name: "One", status: "active" });
  const values = { from: "2026-01-01", to: "2026-02-01", sprint, interval: "month" };
  for (const name of NAMES) {
    expect((await read(here, name)).params).toEqual({ tz: "UTC" });
    for (const [parameter, value] of Object.entries(values)) {
      if (TAKES[name]!.includes(parameter)) continue;
      const { error, detail } = await refused(here, `${name}?${parameter}=${value}`);
      expect(error.details).toMatchObject({ parameter, allowed: [...TAKES[name]!, "format"] });
      expect(detail).toContain(`It takes ${TAKES[name]!.join(", ")}`);
    }
    const sent = Object.fromEntries(TAKES[name]!.map((parameter) => [parameter, values[parameter as "from"]]));
    const { params, data } = await read(here, `${name}?${new URLSearchParams(sent)}`);
    expect(params).toEqual({ ...sent, tz: "UTC" });
    expect(data).not.toBeNull();
    await here.owner.get(`P/reports/${name}?format=csv&${new URLSearchParams(sent)}`).expect(200);
  }
});

test("wrong days, ranges, sprints and intervals are refused", async () => {
  const here = await world();
  await makeSprint(here, { name: "Spring" });
  for (const [query, parameter] of [
    ["throughput?from=2026-02-30", "from"],
    ["throughput?from=yesterday", "from"],
    ["throughput?from=2026-02-02&to=2026-02-01", "to"],
    ["cycle-time?to=2026-02", "to"],
    ["throughput?interval=year", "interval"],
    ["throughput?interval=day&from=2025-01-01&to=2026-01-02", "interval"],
    ["throughput?from=1900-01-01&to=9998-12-31", "interval"],
    ["throughput?interval=month&from=1900-01-01&to=9998-12-31", "interval"],
    ["throughput?to=9999-12-31", "to"],
    ["throughput?from=9999-12-31", "from"],
    ["cycle-time?to=9999-12-31", "to"],
    ["velocity?to=9999-12-31", "to"],
    ["cycle-time?interval=day&from=2020-01-01", "interval"],
    ["burndown?sprint=Sprin", "sprint"],
    ["burndown?sprint=active", "sprint"],
    ["burndown?sprint=0198c2a4-8a90-7c19-8c09-5f1d2b6c7a09", "sprint"],
  ]) {
    expect((await refused(here, query!)).error.details.parameter, query).toBe(parameter);
  }
  const { error } = await refused(here, "burndown?sprint=Sprin");
  expect(error.details).toMatchObject({ allowed: ["active", "Spring"], did_you_mean: "Spring" });
  for (const interval of ["day", "week", "month"]) {
    const { weeks } = (await read(here, `throughput?interval=${interval}&from=9998-12-31`)).data;
    expect(weeks).toHaveLength(1);
    await read(here, `cycle-time?interval=${interval}&to=9998-12-31`);
    await read(here, `throughput?interval=${interval}&to=1900-01-01`);
  }
  const none = (await refused(here, "burndown?sprint=active")).error;
  expect(none.message).toBe("sprint: no sprint of this project is active. Name one.");
  expect(none.details.allowed).toEqual(["Spring"]);
  // A year has at most 366 days.
  expect((await read(here, "throughput?interval=day&from=2024-01-01&to=2024-12-31")).data.weeks).toHaveLength(366);
});

test("a finished sprint's burndown and breakdowns can be read by id and name while another runs", async () => {
  const here = await inPoints();
  const first = await makeSprint(here, { name: "First", start_at: day(0), end_at: day(2) });
  const a = await make(here, { sprint_id: first, story_points: 3, type: "bug" });
  await make(here, { sprint_id: first, story_points: 5, assignee: "me" });
  await plan(here, first, { status: "active" });
  await pass(here, 1);
  await change(here, a, { status: "done" });
  await pass(here, 1);
  await plan(here, first, { status: "completed" });
  const second = await makeSprint(here, { name: "second", status: "active" });
  await make(here, { sprint_id: second, story_points: 8 });

  expect((await read(here, "burndown")).data.sprint_id).toBe(second);
  for (const ref of [first, first.toUpperCase(), "First", "FIRST"]) {
    const { data, params } = await read(here, `burndown?sprint=${ref}`);
    expect(data).toMatchObject({ sprint_id: first, sprint_name: "First" });
    expect(params).toEqual({ sprint: first, tz: "UTC" });
    expect(data.points.map(({ remaining }: { remaining: number }) => remaining)).toEqual([8, 5, 5]);
  }
  expect((await read(here, "burndown?sprint=Active")).data.sprint_id).toBe(second);
  const { text } = await here.owner.get("P/reports/burndown?sprint=First&format=csv").expect(200);
  expect(text.split("\r\n")).toHaveLength(5);

  expect((await read(here, "status-breakdown?sprint=First")).data).toMatchObject({ total: 2, total_points: 8 });
  expect((await read(here, "status-breakdown")).data).toMatchObject({ total: 3, total_points: 16 });
  const types = (await read(here, "type-breakdown?sprint=First")).data;
  expect(types.slices.find(({ type }: { type: string }) => type === "bug")).toMatchObject({ count: 1, percent: 50 });
  const load = (await read(here, "workload?sprint=First")).data;
  expect(load).toMatchObject({ open_total: 1, unassigned: 0, rows: [{ assignee_id: here.owner.userId, open: 1 }] });

  await makeSprint(here, { name: "first" });
  expect((await refused(here, "burndown?sprint=First")).error.details.allowed).toContain(first);
  // Another project's sprint is none of this one.
  await here.owner.post("W/projects", { name: "Other", key: "OTH" }).expect(201);
  await here.owner.get(`W/projects/OTH/reports/burndown?sprint=${first}`).expect(400, "invalid_parameter");
});

test("velocity shows the sprints that began in a range", async () => {
  const here = await world();
  for (const name of ["a", "b", "c"]) {
    const id = await makeSprint(here, { name });
    await plan(here, id, { status: "active" });
    await plan(here, id, { status: "completed" });
    await pass(here, 10);
  }
  const names = async (query: string) =>
    (await read(here, `velocity${query}`)).data.bars.map(({ sprint_name }: { sprint_name: string }) => sprint_name);
  expect(await names("")).toEqual(["a", "b", "c"]);
  expect(await names(`?from=${day(-20)}`)).toEqual(["b", "c"]);
  expect(await names(`?to=${day(-20)}`)).toEqual(["a", "b"]);
  expect(await names(`?from=${day(-20)}&to=${day(-20)}`)).toEqual(["b"]);
  expect(await names(`?from=${day(-19)}&to=${day(-11)}`)).toEqual([]);
  expect(await names(`?from=${day(-40)}`)).toEqual(["a", "b", "c"]);
});

test("more sprints than a hundred in a range are refused, and twelve are shown without one", async () => {
  const here = await world();
  await here.sql(
    `insert into sprint (id, workspace_id, project_id, name, status, rank, started_at, created_at, updated_at)
     select gen_random_uuid(), $1, $2, 'S' || n, 'completed', 'a' || n, timestamptz '2020-01-01' + n * interval '1 day',
            now(), now() from generate_series(0, 100) n`,
    [here.workspace.id, here.project.id],
  );
  expect((await refused(here, "velocity?from=2020-01-01")).error.details).toMatchObject({ maximum: 100 });
  expect((await read(here, "velocity?from=2020-01-02")).data.bars).toHaveLength(100);
  expect((await read(here, "velocity")).data.bars).toHaveLength(12);
});

test("throughput counts days, weeks and months between two days", async () => {
  const here = await world();
  const made: [string, string | null][] = [
    ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00Z", "2026-01-31T23:59:59Z"],
    ["2026-01-15T12:00:00Z", "2026-03-01T00:00:00Z"],
    ["2026-02-28T23:59:59Z", null],
  ];
  for (const [created, resolved] of made) {
    const key = await make(here, { status: resolved ? "done" : "todo", story_points: 1 });
    await here.sql(
      "update issue set created_at = $2, started_at = $2, resolved_at = $3 where key = $1 and project_id = $4",
      [key, created, resolved, here.project.id],
    );
  }
  const rows = async (query: string) =>
    (await read(here, `throughput?${query}`)).data.weeks.map((row: Record<string, unknown>) =>
      [row.week_start, row.week_end, row.created, row.resolved].join(" "),
    );
  expect(await rows("from=2026-01-01&to=2026-02-28&interval=month")).toEqual([
    "2026-01-01 2026-01-31 2 2",
    "2026-02-01 2026-02-28 1 0",
  ]);
  expect(await rows("from=2025-12-15&to=2026-01-10&interval=month")).toEqual([
    "2025-12-15 2025-12-31 1 0",
    "2026-01-01 2026-01-10 1 1",
  ]);
  // The first and the last week are cut; 29 December 2025 is a Monday.
  expect(await rows("from=2025-12-31&to=2026-01-06")).toEqual([
    "2025-12-31 2026-01-04 2 1",
    "2026-01-05 2026-01-06 0 0",
  ]);
  expect(await rows("from=2025-12-31&to=2026-01-01&interval=day")).toEqual([
    "2025-12-31 2025-12-31 1 0",
    "2026-01-01 2026-01-01 1 1",
  ]);
  expect(await rows("to=2026-02-28&interval=month")).toHaveLength(12);
  const daily = await read(here, "throughput?interval=day");
  expect(daily.data.weeks.map((row: { week_start: string }) => row.week_start)).toEqual(
    Array.from({ length: 12 }, (_, n) => day(n - 11)),
  );
  const total = (await read(here, "throughput?from=2025-01-01&to=2026-12-31&interval=month")).data;
  expect(total).toMatchObject({ total_created: 4, total_resolved: 3, average_resolved: 0.13 });
  const { text } = await here.owner
    .get("P/reports/throughput?from=2026-01-01&to=2026-02-28&interval=month&format=csv")
    .expect(200);
  expect(text.split("\r\n")).toHaveLength(4);

  const cycles = (await read(here, "cycle-time?from=2026-01-01&to=2026-01-31&interval=week")).data;
  expect(cycles.count).toBe(2);
  expect(cycles.issues).toHaveLength(2);
  expect(cycles.periods.map(({ start, count }: { start: string; count: number }) => `${start} ${count}`)).toEqual([
    "2026-01-01 1",
    "2026-01-05 0",
    "2026-01-12 0",
    "2026-01-19 0",
    "2026-01-26 1",
  ]);
  expect(cycles.periods[4]).toEqual({
    start: "2026-01-26",
    end: "2026-01-31",
    count: 1,
    average_hours: 744,
    average_lead_hours: 744,
    p50: 744,
    p85: 744,
  });
  expect(cycles.periods[1]).toMatchObject({ average_hours: null, p50: null });
  const some = (await read(here, "cycle-time?from=2026-02-01&to=2026-03-01")).data;
  expect([some.count, some.periods]).toEqual([1, []]);
  // Without a first day, 90 days before the last one.
  expect((await read(here, "cycle-time?to=2026-03-31")).data.count).toBe(3);
  expect((await read(here, "cycle-time?to=2026-04-01")).data.count).toBe(2);
});
