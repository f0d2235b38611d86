import { expect, test } from "vitest";
import { world } from "../support/world.ts";

/** A filter by a name that nothing has is an error, not an empty list; an id that nothing has is an empty list. */

const UNKNOWN_ID = "0198c2a4-fb00-7c20-9d10-5f1d2b6c7a10";

test("filters by an unknown label, person, epic, sprint, milestone, release or project are refused", async () => {
  const { owner } = await world({ plan: "business" });
  await owner.post("P/labels", { name: "Backend" }).expect(201);
  for (const kind of ["sprints", "milestones", "releases"])
    await owner.post(`P/${kind}`, { name: "Spring" }).expect(201);
  await owner.post("P/issues", { title: "x", labels: ["Backend"] }).expect(201);
  for (const [path, parameter, value, meant] of [
    ["P/issues", "label", "Bakend", "Backend"],
    ["P/issues", "sprint", "Sprnig", "Spring"],
    ["P/issues", "milestone", "Sprin", "Spring"],
    ["P/issues", "release", "Sprinng", "Spring"],
    ["P/issues", "status", "In Progres", "In Progress"],
    ["P/issues", "assignee", "nobody@example.com", undefined],
    ["P/issues", "reporter", "nobody@example.com", undefined],
    ["P/issues", "epic", "WEB-99", undefined],
    ["P/issues", "parent", "OPS-1", undefined],
    ["W/issues", "project", "NOSUCH", undefined],
    ["W/issues", "project", "WEBB", "WEB"],
    ["W/issues", "priority", "hihg", "high"],
    ["W/issues", "status", "in_progres", "in_progress"],
    ["W/issues", "assignee", "nobody@example.com", undefined],
    ["W/docs", "project", "NOSUCH", undefined],
    ["W/search", "q=x&types", "isue", "issue"],
    ["W/agent-sessions", "issue_key", "WEB-99", undefined],
    ["W/agent-sessions", "state", "runing", "running"],
  ] as const) {
    const { body } = await owner
      .get(`${path}?${parameter}=${encodeURIComponent(value)}`)
      .expect(400, "invalid_parameter");
    const { details } = body.error;
    expect(details, parameter).toMatchObject({ parameter: parameter.split("&").at(-1), value });
    expect(details.did_you_mean, parameter).toBe(meant);
    expect(body.detail, parameter).toContain(value);
    expect(body.detail, parameter).toMatch(meant ? new RegExp(`Did you mean ${meant}\\?$`) : /list\w+ \(GET \/v1\//);
  }
});

test("a sprint, milestone or release is found by its name, and an unknown id matches nothing", async () => {
  const { owner } = await world();
  const rows = async (query: string) => (await owner.get(`P/issues?${query}`).expect(200)).data.length;
  for (const kind of ["sprint", "milestone", "release"]) {
    const { data } = await owner.post(`P/${kind}s`, { name: "Spring" }).expect(201);
    await owner.post("P/issues", { title: kind, [`${kind}_id`]: data.id }).expect(201);
    expect(await rows(`${kind}=spring`)).toBe(1);
    expect(await rows(`${kind}=${UNKNOWN_ID}`)).toBe(0);
  }
  for (const filter of ["label", "assignee", "reporter", "epic"]) expect(await rows(`${filter}=${UNKNOWN_ID}`)).toBe(0);
});

test("another name of a parameter never filters in silence: it is refused, or left out with a warning", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "x" }).expect(201);
  for (const [path, given, meant] of [
    ["P/issues", "assignee_id", "assignee"],
    ["P/issues", "reporter_id", "reporter"],
    ["P/issues", "parent_id", "parent"],
  ] as const) {
    const { body } = await owner.get(`${path}?${given}=none`).expect(400, "unknown_parameter");
    expect(body.error.details, given).toMatchObject({ parameter: given, did_you_mean: meant });
    const lenient = await owner.get(`${path}?${given}=none`, { headers: { prefer: "handling=lenient" } }).expect(200);
    const warning = { code: "unknown_parameter", parameter: given, did_you_mean: meant };
    expect(lenient.body.warnings, given).toMatchObject([warning]);
  }
});
