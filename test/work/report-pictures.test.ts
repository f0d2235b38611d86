import { beforeAll, expect, test } from "vitest";
import { drawChart } from "../../src/adapters/rendering/child/chart/draw.ts";
import type { ChartToDraw } from "../../src/domain/kernel/ports/chart.ts";
import { earlyEnough } from "../support/history.ts";
import { change, eventfulSprint, make, NAMES } from "../support/reports.ts";
import { SVG, textsOf } from "../support/svg.ts";
import { type World, world } from "../support/world.ts";

/** Reports, the usage of keys and goals as pictures. */

beforeAll(earlyEnough, 120_000);

const asPicture = { headers: { accept: SVG } };
const pictureOf = async ({ owner }: World, path: string) => (await owner.get(path, asPicture).expect(200)).text;

test("each report is a picture if Accept names it, and JSON or CSV otherwise", { timeout: 120_000 }, async () => {
  const { here, sprint_id } = await eventfulSprint();
  const { owner } = here;
  await make(here, { title: "Open", assignee: "me", due_at: "2020-01-01" });
  const quick = await make(here, { status: "in_progress" });
  await change(here, quick, { status: "done" });
  const texts = new Map<string, string[]>();
  for (const name of NAMES) {
    const reply = await owner.get(`P/reports/${name}`, asPicture).expect(200);
    expect(reply.headers.get("content-type"), name).toBe(SVG);
    expect(reply.headers.get("vary")).toMatch(/\bAccept\b/);
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(reply.text).toContain("prefers-color-scheme:dark");
    expect(reply.text).toMatch(/<title id="title">[^<]+<\/title><desc id="description">[^<]+<\/desc>/);
    expect(reply.text).not.toMatch(/NaN|undefined|Infinity|ecmeta|<script/);
    texts.set(name, textsOf(reply.text));
    const csv = await owner.get(`P/reports/${name}?format=csv`, asPicture).expect(200);
    expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
    const json = await owner.get(`P/reports/${name}`).expect(200);
    expect(json.headers.get("content-type")).toMatch(/^application\/json/);
    const again = { headers: { accept: SVG, "if-none-match": reply.headers.get("etag")! } };
    await owner.get(`P/reports/${name}`, again).expect(304);
  }
  expect(texts.get("burndown")).toEqual(
    expect.arrayContaining(["Burndown · One", "Remaining", "Ideal (dashed)", "Scope (steps)", "Story points"]),
  );
  expect(texts.get("velocity")).toEqual(expect.arrayContaining(["Committed", "Completed", "One (active)", "10"]));
  expect(texts.get("cycle-time")).toEqual(expect.arrayContaining(["Days from start to done", "50 % within 0 d"]));
  expect(texts.get("throughput")).toEqual(expect.arrayContaining(["Created", "Done", "Failed", "Cancelled"]));
  expect(texts.get("status-breakdown")).toEqual(expect.arrayContaining(["To Do", "Issues by column · WEB"]));
  expect(texts.get("type-breakdown")).toEqual(expect.arrayContaining(["Task", "Bug", "In progress"]));
  expect(texts.get("workload")).toEqual(expect.arrayContaining(["Olive Owner", "Unassigned", "1 · 1 overdue"]));
  const burndown = await pictureOf(here, `P/reports/burndown?sprint=${sprint_id}&width=320`);
  expect(burndown).toContain('width="320"');
  expect(burndown).toContain("8 of 17");
});

test("the width has limits, and what is refused as JSON is refused as a picture", async () => {
  const here = await world();
  for (const query of ["width=319", "width=1601", "width=x", "sprint=none", "from=2020-01-01&to=2019-01-01"]) {
    await here.owner.get(`P/reports/throughput?${query}`, asPicture).expect(400);
  }
  await here.owner.get("P/reports/nothing", asPicture).expect(404);
  await (await here.other()).owner
    .get(`/v1/workspaces/${here.workspace.slug}/projects/WEB/reports/workload`, asPicture)
    .expect(404);
});

test("a project without sprints and issues has pictures that say so", async () => {
  const here = await world();
  expect(textsOf(await pictureOf(here, "P/reports/burndown"))).toContain("The project has no sprints yet.");
  expect(textsOf(await pictureOf(here, "P/reports/workload"))).toContain("No issue is open.");
  expect(textsOf(await pictureOf(here, "P/reports/cycle-time"))).toContain(
    "No issue was started and done in this time.",
  );
});

test("hostile names stay texts, and fit", async () => {
  const here = await world();
  const name = `<script>alert(1)</script>{a|b}&amp;"'\u202e]]> ${"W".repeat(60)}`;
  await here.owner.post("P/statuses", { name: name.slice(0, 50), category: "todo" }).expect(201);
  const svg = await pictureOf(here, "P/reports/status-breakdown?width=320");
  expect(svg).not.toContain("<script");
  expect(textsOf(svg).some((text) => text.startsWith("<script>"))).toBe(true);
});

test("a key's usage and a goal are pictures, too", async () => {
  const here = await world();
  const { owner } = here;
  const key = (await owner.post("W/api-keys", { name: "Deploy <bot>", scopes: ["read"] }).expect(201)).data;
  expect(textsOf(await pictureOf(here, `W/api-keys/${key.id}/usage`))).toEqual(
    expect.arrayContaining(["Calls · Deploy <bot>", "Answered", "Refused", "Failed"]),
  );
  const goal = (await owner.post("W/goals", { title: "Ship <it>" }).expect(201)).data;
  expect(textsOf(await pictureOf(here, `W/goals/${goal.id}`))).toContain("Nothing is measured yet. Add a key result.");
  const result = { title: "Customers", kind: "manual", start_value: 0, target_value: 10, current_value: 4 };
  await owner.post(`W/goals/${goal.id}/key-results`, result).expect(201);
  expect(textsOf(await pictureOf(here, `W/goals/${goal.id}`))).toEqual(
    expect.arrayContaining(["Ship <it>", "Customers", "40 %"]),
  );
});

test("ten thousand dots are one line, and need little time", () => {
  const dots = Array.from({ length: 10_000 }, (_, n) => [n * 600_000, ((n * 7919) % 4000) / 100] as const);
  const chart: ChartToDraw = {
    ...{
      format: "chart",
      title: "Cycle time",
      description: "",
      width: 760,
      unit: "Days",
      along: "moments",
      places: [],
    },
    ...{ series: [{ name: "Issues", as: "dots", tone: "main", dots }], marks: [], highest: null, nothing: "" },
  };
  const svg = drawChart(chart);
  expect(svg.length).toBeLessThan(150_000);
  expect(svg.match(/<path/g)!.length).toBeLessThan(30);
});
