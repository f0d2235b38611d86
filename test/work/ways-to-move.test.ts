import { describe, expect, test } from "vitest";
import { apply } from "../automation/acting.ts";
import { workflow } from "../automation/flows.ts";
import { drain } from "../support/jobs.ts";
import { hold, waitersFor } from "../support/locks.ts";
import { callTool } from "../support/tools.ts";
import { type World, world } from "../support/world.ts";

/** What a board wants of moves holds on every way in, and each way says what was refused and what is only warned of. */

// biome-ignore lint/suspicious/noExplicitAny: a view
type View = any;
/** Returns all that the caller is told. */
type Way = (here: World, issue: { id: string; key: string }) => Promise<unknown>;

const body = async (call: PromiseLike<{ body: unknown }>) => (await call).body;
const refusalOr = async (effects: Promise<unknown>) => effects.catch(({ code }) => code);
const start = ({ owner }: World, key: string, flow: string) =>
  owner.post(`P/issues/${key}/workflow`, { workflow_id: flow });
const session = ({ owner }: World, more: object) => owner.post("W/agent-sessions", { title: "Work", ...more });

/** Moves an issue to work in progress, by category. */
const MOVES: Record<string, Way> = {
  transition: ({ owner }, { key }) => body(owner.post(`P/issues/${key}/transition`, { status: "in_progress" })),
  change: ({ owner }, { key }) => body(owner.patch(`P/issues/${key}`, { status: "in_progress" })),
  "the tool transition_issue": ({ owner }, { key }) =>
    callTool(owner, "transition_issue", { issue: key, status: "in_progress" }),
  "the tool call_operation": ({ owner }, { key }) =>
    callTool(owner, "call_operation", {
      operation: "patchIssue",
      path: { key: "WEB", issueKey: key },
      body: { status: "in_progress" },
    }),
  "action of a rule": (here, { id }) => refusalOr(apply(here, { type: "set_status", status: "in_progress" }, id)),
  "stage of a workflow": async (here, { key }) => {
    const actions = [{ type: "set_status", status: "in_progress", target: "self" }];
    const flow = await workflow(
      here,
      [
        { id: "act", kind: "action", config: { actions } },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "act"],
        ["act", "end"],
      ],
    );
    const { data } = await start(here, key, flow).expect(201);
    await drain();
    return (await here.owner.get(`W/workflow-runs/${data.run_id}`).expect(200)).data;
  },
  "end of a workflow": async (here, { key }) => {
    const end = { id: "end", kind: "end", config: { set_status: "in_progress" } };
    return body(start(here, key, await workflow(here, [end], [["start", "end"]])).expect(201));
  },
};
/** They move only issues that nobody has started. */
const SESSIONS: Record<string, Way> = {
  "start of a session": (here, { key }) => body(session(here, { issue_key: key }).expect(201)),
  "session on the next issue": (here) => body(session(here, { issue_key: "next", project: "WEB" })),
};
/** An issue that is blocked is not the next one that is ready. */
const { "session on the next issue": _, ...ofBlocked } = { ...MOVES, ...SESSIONS };

/** Creates an issue with these fields. */
type Arrival = (here: World, fields: { sprint_id?: string; status?: string }) => Promise<unknown>;
const NEW: Record<string, Arrival> = {
  "a new issue": ({ owner }, fields) => body(owner.post("P/issues", { title: "x", ...fields })),
  "a bulk call": ({ owner }, fields) => body(owner.post("P/issues/bulk", { items: [{ title: "x", ...fields }] })),
  "the tool create_issue": ({ owner }, fields) =>
    callTool(owner, "create_issue", { project: "WEB", title: "x", ...fields }),
  "the tool create_issues": ({ owner }, fields) =>
    callTool(owner, "create_issues", { project: "WEB", items: [{ title: "x", ...fields }] }),
  "an action that creates": async (here, fields) => {
    const { id } = (await here.owner.get("P/issues/WEB-1").expect(200)).data;
    return refusalOr(apply(here, { type: "create_issue", issue: { title: "x", ...fields } }, id));
  },
};

const each = <Kind>(ways: Record<string, Kind>) => Object.entries(ways);
const read = async ({ owner }: World, key = "WEB-1"): Promise<View> =>
  (await owner.get(`P/issues/${key}`).expect(200)).data;

/** WEB-1 waits, in To Do. */
async function board(settings: object = {}) {
  const here = await world();
  await here.owner.post("P/issues", { title: "Moves" }).expect(201);
  await here.owner.patch("P", { auto_start: true, ...settings }).expect(200);
  return here;
}

/** WEB-1 is blocked by WEB-2, and has no value for a required field. */
async function blocked(enforce_blockers: boolean) {
  const here = await board({ enforce_blockers });
  const { owner } = here;
  await owner.post("P/issues", { title: "Blocks" }).expect(201);
  await owner.post("P/issues/WEB-2/links", { kind: "blocks", direction: "out", target_key: "WEB-1" }).expect(201);
  await owner.post("P/custom-field-defs", { name: "Size", kind: "text", required: true }).expect(201);
  return here;
}

const BLOCKED = "Open issues block this issue: WEB-2.";
const MISSING = "Required fields have no value: Size.";

describe("a move by", () => {
  test.each(each({ ...MOVES, ...SESSIONS }))(
    "%s takes the first column of its category that the rules allow",
    async (_, move) => {
      const here = await board();
      const { owner, columns } = here;
      const { id: pairing } = (await owner.post("P/statuses", { name: "Pairing", category: "in_progress" }).expect(201))
        .data;
      await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [pairing] } }).expect(200);
      await move(here, await read(here));
      expect(await read(here)).toMatchObject({ status: "in_progress", status_name: "Pairing" });
    },
  );

  test.each(each({ ...MOVES, ...SESSIONS }))("%s is not made if the rules forbid it, and says so", async (_, move) => {
    const here = await board();
    const { owner, columns } = here;
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [columns.Done] } }).expect(200);
    const told = JSON.stringify(await move(here, await read(here)));
    expect(told).toMatch(
      /transition_not_allowed|not_allowed_by_board|The board does not allow a move to In Progress from here/,
    );
    expect(await read(here)).toMatchObject({ status: "todo", status_name: "To Do" });
  });

  test.each(each(ofBlocked))("%s is not made while blockers are enforced, and says so", async (_, move) => {
    const here = await blocked(true);
    const told = JSON.stringify(await move(here, await read(here)));
    expect(told).toMatch(/open_blockers|Open issues block this issue/);
    expect(await read(here)).toMatchObject({ status: "todo" });
  });

  test.each(each(ofBlocked))("%s warns of blockers and of required fields", async (_, move) => {
    const here = await blocked(false);
    const told = JSON.stringify(await move(here, await read(here)));
    expect(told).toContain(BLOCKED);
    expect(told).toContain(MISSING);
    expect(await read(here)).toMatchObject({ status: "in_progress" });
  });

  test.each(each(MOVES))("%s leaves a completed sprint, and says so", async (_, move) => {
    const here = await board();
    const { owner } = here;
    const { id } = (await owner.post("P/sprints", { name: "Over" }).expect(201)).data;
    await owner.patch("P/issues/WEB-1", { status: "done", sprint_id: id }).expect(200);
    await owner.patch(`P/sprints/${id}`, { status: "completed" }).expect(200);
    const told = JSON.stringify(await move(here, await read(here)));
    expect(told).toContain("The sprint Over is completed, so the open issue left it.");
    expect(await read(here)).toMatchObject({ status: "in_progress", sprint_id: null });
  });
});

test("a rule takes the column that is allowed from where the issue is when the rule has its turn", async () => {
  const here = await board();
  const { owner, columns, sql, project } = here;
  const { data: pairing } = await owner.post("P/statuses", { name: "Pairing", category: "in_progress" }).expect(201);
  const rules = { [columns["To Do"]!]: [pairing.id], [columns.Backlog!]: [columns["In Progress"]] };
  await owner.patch("P", { transition_rules: rules }).expect(200);
  const release = await hold("select 1 from issue_counter where project_id = $1 for update", [project.id]);
  const { id } = await read(here);
  const acting = apply(here, { type: "set_status", status: "in_progress" }, id);
  await waitersFor(here, 1);
  await sql("update issue set status_id = $2, status = 'backlog' where id = $1", [id, columns.Backlog]);
  await release();
  expect(await acting).toEqual([{ result: "done", detail: "Status: In Progress." }]);
});

describe("an issue that comes by", () => {
  test.each(each(NEW))("%s is not open in a completed sprint", async (_, come) => {
    const here = await board();
    const { owner } = here;
    const { id: sprint_id } = (await owner.post("P/sprints", { name: "Over" }).expect(201)).data;
    await owner.patch(`P/sprints/${sprint_id}`, { status: "completed" }).expect(200);
    expect(JSON.stringify(await come(here, { sprint_id }))).toContain("sprint_completed");
    expect((await owner.get("P/issues").expect(200)).data).toHaveLength(1);
    await come(here, { sprint_id, status: "done" });
    expect(await read(here, "WEB-2")).toMatchObject({ status: "done", sprint_id });
  });

  test.each(each(NEW))("%s has left no column, and warns of required fields", async (_, come) => {
    const here = await blocked(false);
    const { owner, columns } = here;
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [] } }).expect(200);
    expect(JSON.stringify(await come(here, { status: "in_progress" }))).toContain(MISSING);
    expect(await read(here, "WEB-3")).toMatchObject({ status: "in_progress", status_name: "In Progress" });
  });

  test("a form takes the column that the form names, and no completed sprint", async () => {
    const here = await blocked(true);
    const { owner, columns } = here;
    const { id: sprint } = (await owner.post("P/sprints", { name: "Over" }).expect(201)).data;
    const defaults = { default_sprint_id: sprint, default_status_id: columns["In Progress"] };
    const fields = [{ kind: "short_text", label: "What?", mapping: "title" }];
    const { data: form } = await owner
      .post("P/forms", { title: "F", status: "published", fields, ...defaults })
      .expect(201);
    await owner.patch(`P/sprints/${sprint}`, { status: "completed" }).expect(200);
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [] } }).expect(200);
    await owner.post(`P/forms/${form.id}/submissions`, { answers: { [form.fields[0].id]: "It broke" } }).expect(201);
    expect(await read(here, "WEB-3")).toMatchObject({ status: "in_progress", sprint_id: null });
  });

  test("a return from the archive is no move, but leaves a completed sprint and warns of required fields", async () => {
    const here = await blocked(true);
    const { owner, columns } = here;
    const { id: sprint_id } = (await owner.post("P/sprints", { name: "Over" }).expect(201)).data;
    await owner.patch("P/issues/WEB-1", { sprint_id }).expect(200);
    await owner.delete("P/issues/WEB-1").expect(200);
    await owner.patch(`P/sprints/${sprint_id}`, { status: "completed" }).expect(200);
    await owner.patch("P", { transition_rules: { [columns["To Do"]!]: [] } }).expect(200);
    const told = JSON.stringify(await body(owner.post("P/issues/WEB-1/restore").expect(200)));
    expect(told).toContain("The sprint Over is completed, so the open issue left it.");
    expect(told).toContain(MISSING);
    expect(await read(here)).toMatchObject({ status: "todo", sprint_id: null });
  });

  test("the tool update_issue is not open in a completed sprint", async () => {
    const here = await board();
    const { owner } = here;
    const { id: sprint_id } = (await owner.post("P/sprints", { name: "Over" }).expect(201)).data;
    await owner.patch(`P/sprints/${sprint_id}`, { status: "completed" }).expect(200);
    const told = await callTool(owner, "update_issue", { issue: "WEB-1", sprint_id });
    expect(told).toMatchObject({ isError: true, structuredContent: { error: { code: "sprint_completed" } } });
    expect(await read(here)).toMatchObject({ sprint_id: null });
  });
});
