import { describe, expect, test } from "vitest";
import { apply } from "../automation/acting.ts";
import { workflow } from "../automation/flows.ts";
import { type World, world } from "../support/world.ts";

/** The board's rules hold on every way in. */

async function ruled(rules: Record<string, unknown>): Promise<World> {
  const here = await world();
  const { owner } = here;
  for (let n = 0; n < 4; n++) await owner.post("P/issues", { title: `Issue ${n}` }).expect(201);
  await owner.patch("P", rules).expect(200);
  return here;
}

const limited = async (wip_mode: string, wip_limit: number): Promise<World> => {
  const here = await ruled({ wip_mode });
  await here.owner.patch(`P/statuses/${here.columns["In Progress"]}`, { wip_limit }).expect(200);
  return here;
};

const holds = async ({ owner, columns }: World, name: string) => {
  const { data } = await owner.get("P/statuses").expect(200);
  return data.find(({ id }: { id: string }) => id === columns[name]).issue_count;
};

/** Every way to move an issue to In Progress. */
const WAYS: [string, (here: World, key: string) => ReturnType<World["owner"]["call"]>][] = [
  ["a transition by category", ({ owner }, key) => owner.post(`P/issues/${key}/transition`, { status: "in_progress" })],
  [
    "a transition by column",
    ({ owner, columns }, key) => owner.post(`P/issues/${key}/transition`, { status_id: columns["In Progress"] }),
  ],
  ["a change by category", ({ owner }, key) => owner.patch(`P/issues/${key}`, { status: "in_progress", title: "x" })],
  [
    "a change by column",
    ({ owner, columns }, key) => owner.patch(`P/issues/${key}`, { status_id: columns["In Progress"] }),
  ],
];

describe("transition rules", () => {
  test.each(WAYS)("%s is refused if the column's rule does not allow it, and changes nothing", async (_, move) => {
    const here = await ruled({});
    const { owner, columns } = here;
    const rules = { [columns["To Do"]!]: [columns.Done, columns.Backlog], [columns.Done!]: [] };
    await owner.patch("P", { transition_rules: rules }).expect(200);
    const before = (await owner.get("P/issues/WEB-1")).data;
    const { body } = await move(here, "WEB-1").expect(409, "transition_not_allowed");
    expect(body.error.details.allowed).toEqual(rules[columns["To Do"]!]);
    expect((await owner.get("P/issues/WEB-1")).data).toEqual(before);
    // Columns without a rule allow all moves; columns with an empty rule allow none.
    await owner.post("P/issues/WEB-1/transition", { status: "backlog" }).expect(200);
    await move(here, "WEB-1").expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
    await move(here, "WEB-1").expect(409, "transition_not_allowed");
    // A new issue has no source column.
    await owner.post("P/issues", { title: "New", status: "in_progress" }).expect(201);
  });
});

describe("a move by category", () => {
  const more = async ({ owner }: World, name: string, category: string) =>
    (await owner.post("P/statuses", { name, category }).expect(201)).data.id as string;

  test("takes the first column of the category that the rules allow", async () => {
    const here = await ruled({});
    const { owner, columns } = here;
    const pairing = await more(here, "Pairing", "in_progress");
    const todo = columns["To Do"]!;
    await owner.patch("P", { transition_rules: { [todo]: [pairing] } }).expect(200);
    const moved = await owner.post("P/issues/WEB-1/transition", { status: "in_progress" }).expect(200);
    expect(moved.data).toMatchObject({ status_id: pairing, status_name: "Pairing" });
    expect((await owner.patch("P/issues/WEB-2", { status: "in_progress" }).expect(200)).data.status_id).toBe(pairing);
    // The column in which the issue is has no rule: the first column of the category is taken, as before.
    await owner.patch("P", { transition_rules: { [columns.Done!]: [pairing] } }).expect(200);
    const free = await owner.post("P/issues/WEB-3/transition", { status: "in_progress" }).expect(200);
    expect(free.data.status_id).toBe(columns["In Progress"]);
  });

  test("is refused with the allowed columns if the rules allow none of the category", async () => {
    const here = await ruled({});
    const { owner, columns } = here;
    await more(here, "Pairing", "in_progress");
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [columns.Backlog] } }).expect(200);
    const { body } = await owner
      .post("P/issues/WEB-1/transition", { status: "in_progress" })
      .expect(409, "transition_not_allowed");
    expect(body.error.details.allowed).toEqual([columns.Backlog]);
  });
});

describe("blockers", () => {
  test.each(WAYS)("%s is warned of if the project does not enforce them", async (_, move) => {
    const here = await ruled({ enforce_blockers: false });
    const { owner, as } = here;
    const other = await here.hidden();
    await other.owner.post("P/issues", { title: "Secret" }).expect(201);
    for (const key of ["WEB-2", "HID-1"]) {
      await owner.post("P/issues/WEB-1/links", { kind: "blocks", direction: "in", target_key: key }).expect(201);
    }
    const { body } = await move(here, "WEB-1").expect(200);
    const details = { open_blockers: 2, blocked_by: ["HID-1", "WEB-2"] };
    expect(body.warnings).toEqual([
      { code: "open_blockers", message: "Open issues block this issue: HID-1, WEB-2.", ...details },
    ]);
    // It is there already, and leaving work in progress needs no blocker closed.
    expect((await owner.patch("P/issues/WEB-1", { title: "Again" }).expect(200)).body.warnings).toBeUndefined();
    const left = await owner.post("P/issues/WEB-1/transition", { status: "todo" }).expect(200);
    expect(left.body.warnings).toBeUndefined();
    // A caller learns only the keys of issues that they see.
    const member = await as({ role: "member" });
    const seen = await move({ ...here, owner: member }, "WEB-1").expect(200);
    expect(seen.body.warnings).toMatchObject([{ code: "open_blockers", open_blockers: 2, blocked_by: ["WEB-2"] }]);
  });

  test("of hidden projects are not named by rules and workflows, whose effects others read", async () => {
    const here = await ruled({ enforce_blockers: false });
    const { owner } = here;
    const other = await here.hidden();
    await other.owner.post("P/issues", { title: "Secret" }).expect(201);
    const { data: issue } = await owner.get("P/issues/WEB-1").expect(200);
    for (const key of ["WEB-2", "HID-1"]) {
      await owner.post("P/issues/WEB-1/links", { kind: "blocks", direction: "in", target_key: key }).expect(201);
    }
    const [effect] = await apply(here, { type: "set_status", status: "in_progress" }, issue.id);
    expect(effect?.detail).toContain("Open issues block this issue: WEB-2.");

    // The workflow acts for the owner, but the reply is the member's.
    const flow = await workflow(here, [{ id: "end", kind: "end", config: { set_status: "done" } }], [["start", "end"]]);
    const member = await here.as({ role: "member" });
    const { body } = await member.post("P/issues/WEB-1/workflow", { workflow_id: flow }).expect(201);
    expect((await owner.get("P/issues/WEB-1").expect(200)).data.status).toBe("done");
    expect(JSON.stringify(body)).not.toContain("HID");
  });

  test.each(WAYS)("%s is refused while one is open", async (_, move) => {
    const here = await ruled({ enforce_blockers: true });
    const { owner } = here;
    await owner.post("P/issues/WEB-2/links", { kind: "blocks", direction: "out", target_key: "WEB-1" }).expect(201);
    const { body } = await move(here, "WEB-1").expect(409, "open_blockers");
    expect(body.error.details).toMatchObject({ open_blockers: 1, blocked_by: ["WEB-2"] });
    await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(409, "open_blockers");
    await owner.post("P/issues/WEB-1/transition", { status: "cancelled" }).expect(200);
    await owner.delete("P/issues/WEB-2").expect(200);
    await move(here, "WEB-1").expect(200);
    // Started issues keep their column when a blocker is added, and may return to it.
    await owner.post("P/issues/WEB-2/restore").expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    expect((await owner.post("P/issues/WEB-1/restore").expect(200)).data).toMatchObject({
      status: "in_progress",
      is_blocked: true,
    });
  });

  test("a column with blocked issues can become one of work in progress", async () => {
    const here = await ruled({ enforce_blockers: true });
    const { owner, columns } = here;
    await owner.post("P/issues/WEB-2/links", { kind: "blocks", direction: "out", target_key: "WEB-1" }).expect(201);
    await owner.patch(`P/statuses/${columns["To Do"]}`, { category: "in_progress" }).expect(200);
    expect((await owner.get("P/issues/WEB-1")).data).toMatchObject({ status: "in_progress", is_blocked: true });
  });
});

describe("the warnings of a bulk call", () => {
  test("name the row that they are about, and rows that are refused have none", async () => {
    const here = await limited("warn", 1);
    const { owner } = here;
    await owner.post("P/custom-field-defs", { name: "Size", kind: "text", required: true }).expect(201);
    const full = { custom_fields: { Size: "L" } };
    const items = [
      { title: "Fits", status: "in_progress", ...full },
      { title: "Refused", status: "in_progress", assignee: "nobody@nowhere.test" },
      { title: "One too many", status: "in_progress", ...full },
      { title: "Without a size" },
      { title: "Unknown", titel: "x", ...full },
    ];
    const lenient = { headers: { prefer: "handling=lenient" } };
    const { body } = await owner.post("P/issues/bulk", { items }, lenient).expect(207);
    const shown = body.warnings.map(({ code, index, path }: Record<string, unknown>) => [code, index, path]);
    expect(shown.sort()).toEqual([
      ["required_field_missing", 3, "/items/3/custom_fields"],
      ["unknown_field", 4, "/items/4/titel"],
      ["wip_limit_exceeded", 2, "/items/2"],
    ]);
    const { body: alone } = await owner.post("P/issues", items[3]).expect(201);
    expect(alone.warnings).toMatchObject([{ code: "required_field_missing", path: "/custom_fields" }]);
    expect(alone.warnings[0]).not.toHaveProperty("index");
  });
});

describe("a required field without a value", () => {
  test("is warned of in every change of the issue, until it has one", async () => {
    const { owner } = await ruled({});
    const { data: field } = await owner
      .post("P/custom-field-defs", { name: "Size", kind: "text", required: true })
      .expect(201);
    const message = "Required fields have no value: Size.";
    const missing = [{ code: "required_field_missing", message, fields: [{ id: field.id, name: "Size" }] }];
    const changes = [
      owner.patch("P/issues/WEB-1", { title: "Renamed" }),
      owner.post("P/issues/WEB-1/transition", { status: "in_progress" }),
      owner.patch("P/issues/WEB-1", { custom_fields: { Size: null } }),
    ];
    for (const call of changes) expect((await call.expect(200)).body.warnings).toMatchObject(missing);
    const { body } = await owner.patch("P/issues/WEB-1", { custom_fields: { Size: "L" } }).expect(200);
    expect(body.warnings).toBeUndefined();
    const moved = await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
    expect(moved.body.warnings).toBeUndefined();
  });
});

describe("a column's limit", () => {
  const ALL: typeof WAYS = [
    ...WAYS,
    ["a new issue", ({ owner }) => owner.post("P/issues", { title: "New", status: "in_progress" })],
    ["a return from the archive", ({ owner }) => owner.post("P/issues/WEB-3/restore")],
  ];

  test.each(ALL)("%s is refused or returns a warning when it is full", async (_, come) => {
    const here = await limited("enforce", 1);
    const { owner } = here;
    await owner.post("P/issues/WEB-3/transition", { status: "in_progress" }).expect(200);
    await owner.delete("P/issues/WEB-3").expect(200);
    await owner.post("P/issues/WEB-2/transition", { status: "in_progress" }).expect(200);
    await come(here, "WEB-1").expect(409, "wip_limit_exceeded");
    expect(await holds(here, "In Progress")).toBe(1);
    await owner.patch("P", { wip_mode: "warn" }).expect(200);
    const { status, body } = await come(here, "WEB-1");
    expect([200, 201]).toContain(status);
    expect(body.warnings).toMatchObject([{ code: "wip_limit_exceeded", limit: 1, issue_count: 1 }]);
    expect(await holds(here, "In Progress")).toBe(2);
    await owner.patch("P", { wip_mode: "off" }).expect(200);
    const again = await owner.post("P/issues/WEB-4/transition", { status: "in_progress" }).expect(200);
    expect(again.body.warnings).toBeUndefined();
  });

  test("applies to fifty concurrent moves, creates, bulk calls and restores", async () => {
    const here = await limited("enforce", 5);
    const { owner } = here;
    const items = Array.from({ length: 30 }, (_, n) => ({ title: `More ${n}` }));
    await owner.post("P/issues/bulk", { items }).expect(201);
    for (const key of ["WEB-1", "WEB-2", "WEB-3"]) {
      await owner.post(`P/issues/${key}/transition`, { status: "in_progress" }).expect(200);
      await owner.delete(`P/issues/${key}`).expect(200);
    }
    const bulk = { items: Array.from({ length: 3 }, () => ({ title: "Bulk", status: "in_progress" })) };
    const calls = [
      ...Array.from({ length: 30 }, (_, n) => WAYS[n % 4]![1](here, `WEB-${n + 5}`)),
      ...Array.from({ length: 13 }, () => owner.post("P/issues", { title: "New", status: "in_progress" })),
      ...[1, 2, 3].map((n) => owner.post(`P/issues/WEB-${n}/restore`)),
      ...Array.from({ length: 4 }, () => owner.post("P/issues/bulk", bulk)),
    ];
    for (const { status, body, text } of await Promise.all(calls)) {
      expect([200, 201, 207, 409], text).toContain(status);
      if (status === 409) expect(body.code).toBe("wip_limit_exceeded");
    }
    expect(await holds(here, "In Progress")).toBe(5);
    expect((await owner.get("P/issues?status=in_progress")).data).toHaveLength(5);
  });

  test("ignores issues that are already there, change or move within the column", async () => {
    const here = await limited("enforce", 2);
    const { owner, columns } = here;
    for (const key of ["WEB-1", "WEB-2"]) {
      await owner.post(`P/issues/${key}/transition`, { status: "in_progress" }).expect(200);
    }
    await owner.patch(`P/statuses/${columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
    await owner.post("P/issues/WEB-2/transition", { status: "in_progress", before: "WEB-1" }).expect(200);
    await owner.patch("P/issues/WEB-1", { status: "in_progress", title: "x" }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "done" }).expect(200);
    await owner.post("P/issues/WEB-1/transition", { status: "in_progress" }).expect(409, "wip_limit_exceeded");
  });

  test("is not checked when a sprint ends, which moves nothing on the board", async () => {
    const here = await limited("enforce", 1);
    const { owner } = here;
    const { data: sprint } = await owner.post("P/sprints", { name: "S", status: "active" }).expect(201);
    await owner.patch("P/issues/WEB-1", { status: "in_progress", sprint_id: sprint.id }).expect(200);
    await owner.patch(`P/sprints/${sprint.id}`, { status: "completed", move_open_issues_to: "backlog" }).expect(200);
    expect((await owner.get("P/issues/WEB-1")).data).toMatchObject({ status: "in_progress", sprint_id: null });
    expect(await holds(here, "In Progress")).toBe(1);
  });
});
