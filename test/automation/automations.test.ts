import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** Definitions of automations: what is accepted, what is refused, and who sees them. */

let here: World;
let owner: Client;
beforeAll(async () => {
  here = await world();
  owner = here.owner;
});

const actions = [{ type: "set_priority", priority: "high" }];
const body = (more: Record<string, unknown> = {}) => ({ name: "Rule", trigger: "issue.created", actions, ...more });
const made = async (more: Record<string, unknown> = {}, client = owner) =>
  (await client.post("W/automations", body(more)).expect(201)).data;
type Details = { path?: string; fields?: string[]; errors?: { path: string; code: string; message: string }[] };

/** The error of a body that is refused: its code and the places that it names. */
async function refused(more: Record<string, unknown>): Promise<string> {
  const { status, body: problem } = await owner.post("W/automations", body(more));
  expect(status, JSON.stringify(problem)).toBe(400);
  const { path, fields, errors } = problem.error.details as Details;
  const places = errors?.map((one) => `${one.path} ${one.code}`) ?? fields ?? [path];
  return [problem.code, ...places].join(" ");
}
const accepted = async (trigger: string, trigger_config: Record<string, unknown>) =>
  (await made({ trigger, trigger_config })).trigger_config;

const eventsFor = async (id: string) =>
  here.sql<{ type: string; changed: string[] | null; project_id: string | null; data: Record<string, unknown> }>(
    `select type, changed, project_id, data from event where data ->> 'id' = $1 order by id`,
    [id],
  );
const versionOf = async () => {
  const [row] = await here.sql<{ version: string }>(`select version from automation_version where workspace_id = $1`, [
    here.workspace.id,
  ]);
  return Number(row?.version ?? 0);
};

/** What a body may contain, of what a reply shows. */
const writable = ({ description, trigger, trigger_config, conditions, actions, ...rest }: Record<string, unknown>) => ({
  ...{ description, trigger, trigger_config, conditions, actions },
  ...{ project_id: rest.project_id, enabled: rest.enabled, allow_chaining: rest.allow_chaining },
  on_error: rest.on_error,
});

test("an automation is created enabled, with defaults", async () => {
  const rule = await made({ name: " First\nrule " });
  expect(rule).toMatchObject({
    name: "First rule",
    description: null,
    enabled: true,
    disabled_reason: null,
    trigger: "issue.created",
    trigger_config: {},
    conditions: null,
    actions: [{ type: "set_priority", priority: "high", target: "self" }],
    project_id: null,
    allow_chaining: false,
    on_error: "stop",
    created_by: owner.userId,
    next_run_at: null,
    last_run_at: null,
    last_skipped: null,
    run_count: 0,
    failure_count: 0,
  });
  expect((await owner.get(`W/automations/${rule.id}`).expect(200)).data).toEqual(rule);
  expect((await owner.get("W/automations").expect(200)).data[0]).toEqual(rule);
});

describe("triggers", () => {
  test("take their own parameters only", async () => {
    expect(await refused({ trigger_config: { cron: "0 9 * * *" } })).toBe(
      "validation_failed /trigger_config/cron not_allowed",
    );
    expect(await refused({ trigger: "issue.updated", trigger_config: { from: ["todo"], by: "any" } })).toBe(
      "validation_failed /trigger_config/from not_allowed /trigger_config/by not_allowed",
    );
    expect(await refused({ trigger_config: { colour: 1 } })).toContain("/trigger_config/colour unknown_field");
    expect(await refused({ trigger: "issue.vanished" })).toBe("validation_failed /trigger not_allowed");
  });

  test("name columns by category, id or name", async () => {
    const { Done: done } = here.columns;
    const config = { from: ["In Progress", "unstarted"], to: [done, "in review"] };
    expect(await accepted("issue.status_changed", config)).toEqual({
      from: ["in_progress", "todo"],
      to: [done, "in_review"],
    });
    expect(await refused({ trigger: "issue.status_changed", trigger_config: { to: ["done", "Shipped"] } })).toBe(
      "invalid_reference /trigger_config/to/1",
    );
    expect(await refused({ trigger: "issue.status_changed", trigger_config: { to: [newId()] } })).toBe(
      "invalid_reference /trigger_config/to/0",
    );
  });

  test("name priorities in any spelling", async () => {
    expect(await accepted("issue.priority_changed", { to: ["Urgent", "high"] })).toEqual({ to: ["critical", "high"] });
    expect(await refused({ trigger: "issue.priority_changed", trigger_config: { to: ["asap"] } })).toBe(
      "validation_failed /trigger_config/to/0 not_allowed",
    );
  });

  test("name people by id, e-mail or me", async () => {
    const someone = await here.as({ role: "member" });
    expect(await accepted("issue.assigned", { user_id: "me" })).toEqual({ user_id: owner.userId });
    expect(await accepted("issue.unassigned", { user_id: someone.email })).toEqual({ user_id: someone.userId });
    const stranger = (await here.other()).owner.userId;
    expect(await refused({ trigger: "issue.assigned", trigger_config: { user_id: stranger } })).toBe(
      "invalid_reference /trigger_config/user_id",
    );
  });

  test("name fields of issues and custom fields", async () => {
    const { data: field } = await owner.post("P/custom-field-defs", { name: "Team", kind: "text" }).expect(201);
    const fields = ["due_at", "assignee", `custom_field:${field.id.toUpperCase()}`];
    expect(await accepted("issue.updated", { fields })).toEqual({
      fields: ["due_at", "assignee", `custom_field:${field.id}`],
    });
    expect(await refused({ trigger: "issue.updated", trigger_config: { fields: ["due"] } })).toBe(
      "validation_failed /trigger_config/fields/0 not_allowed",
    );
    expect(await refused({ trigger: "issue.updated", trigger_config: { fields: [`custom_field:${newId()}`] } })).toBe(
      "invalid_reference /trigger_config/fields/0",
    );
  });

  test("name labels and forms, of the automation's project if it has one", async () => {
    const { data: label } = await owner.post("P/labels", { name: "Regression" }).expect(201);
    const { data: form } = await owner.post("P/forms", { title: "Report" }).expect(201);
    expect(await accepted("issue.labelled", { label_ids: [label.id] })).toEqual({ label_ids: [label.id] });
    expect(await accepted("form.submitted", { form_id: form.id })).toEqual({ form_id: form.id });
    const elsewhere = (await here.hidden("OTH")).project.id;
    const labelled = { trigger: "issue.labelled", trigger_config: { label_ids: [label.id] } };
    expect(await refused({ ...labelled, project_id: elsewhere })).toBe("invalid_reference /trigger_config/label_ids/0");
    const submitted = { trigger: "form.submitted", trigger_config: { form_id: form.id } };
    expect(await refused({ ...submitted, project_id: elsewhere })).toBe("invalid_reference /trigger_config/form_id");
    const finished = { trigger: "workflow_run.finished", trigger_config: { workflow_id: newId() } };
    expect(await refused(finished)).toBe("invalid_reference /trigger_config/workflow_id");
  });

  test("have defaults, states and bounds", async () => {
    expect(await accepted("comment.added", {})).toEqual({ by: "any" });
    expect(await accepted("issue.due_soon", {})).toEqual({ hours_before: 24 });
    expect(await accepted("agent_session.state_changed", { states: ["needs_input"] })).toEqual({
      states: ["needs_input"],
    });
    expect(await accepted("workflow_run.finished", { statuses: ["failed"] })).toEqual({ statuses: ["failed"] });
    expect(await refused({ trigger: "issue.due_soon", trigger_config: { hours_before: 721 } })).toBe(
      "validation_failed /trigger_config/hours_before too_large",
    );
  });

  test("a schedule has a cron expression, and the workspace's time zone by default", async () => {
    await owner.patch("W", { timezone: "Europe/Berlin" }).expect(200);
    expect(await refused({ trigger: "schedule" })).toBe("validation_failed /trigger_config/cron required");
    const often = { trigger: "schedule", trigger_config: { cron: "*/5 * * * *" } };
    expect(await refused(often)).toBe("validation_failed /trigger_config/cron pattern");
    const nowhere = { trigger: "schedule", trigger_config: { cron: "0 9 * * *", timezone: "Mars/Base" } };
    expect(await refused(nowhere)).toBe("validation_failed /trigger_config/timezone pattern");
    const rule = await made({ trigger: "schedule", trigger_config: { cron: "0 9 1 1 *" } });
    expect(rule.trigger_config).toEqual({ cron: "0 9 1 1 *", timezone: "Europe/Berlin" });
    expect(rule.next_run_at).toMatch(/^\d{4}-01-01T08:00:00.000Z$/);
    const due = async () => {
      const [row] = await here.sql(`select due_at from automation where id = $1`, [rule.id]);
      return row!.due_at;
    };
    expect(await due()).toBe(rule.next_run_at);
    const { data: moved } = await owner.patch(`W/automations/${rule.id}`, {
      trigger_config: { cron: "0 9 1 1 *", timezone: "utc" },
    });
    expect(moved).toMatchObject({ trigger_config: { timezone: "UTC" } });
    expect(await due()).toBe(moved.next_run_at);
    expect(moved.next_run_at).toMatch(/T09:00:00.000Z$/);
    const { data: off } = await owner.patch(`W/automations/${rule.id}`, { enabled: false }).expect(200);
    expect(off.next_run_at).toBeNull();
    const { data: other } = await owner.patch(`W/automations/${rule.id}`, { trigger: "issue.created" }).expect(200);
    expect([other.trigger_config, await due()]).toEqual([{}, null]);
  });

  test("a schedule's filters are those of a project's list of issues", async () => {
    const schedule = (filters: object, more: object = { project_id: here.project.key }) => ({
      trigger: "schedule",
      trigger_config: { cron: "0 9 * * *", timezone: "UTC", filters },
      ...more,
    });
    const filters = { status: "todo,In Progress", assignee: "none", priority: "urgent", sprint: "active", q: "safari" };
    expect((await made(schedule(filters))).trigger_config.filters).toEqual(filters);
    expect(await refused(schedule(filters, {}))).toBe("validation_failed /project_id required");
    expect(await refused(schedule({ priority: "asap" }))).toBe(
      "validation_failed /trigger_config/filters/priority not_allowed",
    );
    expect(await refused(schedule({ status: "Nowhere" }))).toBe(
      "validation_failed /trigger_config/filters/status not_allowed",
    );
    expect(await refused(schedule({ colour: "red" }))).toContain("/trigger_config/filters/colour unknown_field");
  });
});

describe("conditions", () => {
  const rules = (...list: object[]) => ({ conditions: { match: "all", rules: list } });

  test("name people by id, e-mail or me, and keep their ids", async () => {
    const member = await here.as({ role: "member" });
    const [{ email }] = (await here.sql<{ email: string }>("select email from app_user where id = $1", [
      member.userId,
    ])) as [{ email: string }];
    const rule = await made(
      rules(
        { field: "assignee", op: "is", value: email.toUpperCase() },
        { match: "any", rules: [{ field: "reporter", op: "is_one_of", value: ["me", member.userId] }] },
      ),
    );
    expect(rule.conditions.rules).toEqual([
      { field: "assignee", op: "is", value: member.userId },
      { match: "any", rules: [{ field: "reporter", op: "is_one_of", value: [owner.userId, member.userId] }] },
    ]);
    const { data } = await owner
      .patch(`W/automations/${rule.id}`, rules({ field: "actor_id", op: "is_not", value: "me" }))
      .expect(200);
    expect(data.conditions.rules).toEqual([{ field: "actor_id", op: "is_not", value: owner.userId }]);
  });

  test("are refused if a rule could never apply", async () => {
    const value = "/conditions/rules/0/value";
    const one = (field: string, op: string, value: unknown) => refused(rules({ field, op, value }));
    for (const [field, wrong] of [
      ["type", "bgu"],
      ["priority", "hihg"],
      ["actor_kind", "robot"],
    ] as const) {
      expect(await one(field, "is", wrong)).toBe(`validation_failed ${value} not_allowed`);
      expect(await one(field, "is_one_of", [wrong])).toBe(`validation_failed ${value} not_allowed`);
    }
    expect(await one("assignee", "is", "nobody@nowhere.test")).toBe(`invalid_reference ${value} invalid_reference`);
    for (const field of ["sprint", "milestone", "release"]) {
      expect(await one(field, "is_one_of", ["Next"])).toBe(`invalid_reference ${value}/0 invalid_reference`);
    }
    expect(await one("priority", "lt", "high")).toBe("validation_failed /conditions/rules/0/op not_allowed");
    await made(rules({ field: "priority", op: "is", value: "Urgent" }, { field: "type", op: "is_not", value: "BUG" }));
  });
});

describe("the project", () => {
  const inWeb = (value = here.project.key) => ({ match: "all", rules: [{ field: "project", op: "is", value }] });

  test("is the one that a rule names", async () => {
    for (const value of [here.project.key.toLowerCase(), here.project.id]) {
      expect(await made({ conditions: inWeb(value) })).toMatchObject({ project_id: here.project.id });
    }
    const some = { match: "any", rules: [{ field: "project", op: "is", value: "WEB" }] };
    expect(await made({ conditions: some })).toMatchObject({ project_id: null });
    expect(await refused({ conditions: inWeb("NOPE") })).toBe("invalid_reference /conditions/rules/0/value");
  });

  test("may be given twice, but not differently", async () => {
    const other = await here.hidden("TWO");
    expect(await made({ conditions: inWeb(), project_id: "web" })).toMatchObject({ project_id: here.project.id });
    expect(await refused({ conditions: inWeb(), project_id: other.project.id })).toBe(
      "mutually_exclusive project_id conditions",
    );
    expect(await refused({ project_id: "NOPE" })).toBe("invalid_reference /project_id");
  });

  test("goes with the rule that set it, and stays if project_id did", async () => {
    const byRule = await made({ conditions: inWeb() });
    const { data: open } = await owner.patch(`W/automations/${byRule.id}`, { conditions: null }).expect(200);
    expect(open).toMatchObject({ project_id: null });
    const byId = await made({ project_id: here.project.id, conditions: { match: "all", rules: [] } });
    const { data: same } = await owner.patch(`W/automations/${byId.id}`, { conditions: null }).expect(200);
    expect(same).toMatchObject({ project_id: here.project.id });
    const { data: all } = await owner.patch(`W/automations/${byId.id}`, { project_id: null }).expect(200);
    expect(all).toMatchObject({ project_id: null });
    const ruled = await made({ conditions: inWeb() });
    await owner.patch(`W/automations/${ruled.id}`, { project_id: null }).expect(400, "mutually_exclusive");
  });

  test("decides which members see the automation; guests see none", async () => {
    const secret = await here.hidden("SEC");
    const rule = await made({ project_id: secret.project.id });
    const open = await made({});
    const member = await here.as({ role: "member" });
    await member.get(`W/automations/${rule.id}`).expect(404);
    await member.get(`W/automations/${rule.id}/runs`).expect(404);
    const seen = (await member.get("W/automations?limit=100").expect(200)).data.map(({ id }: { id: string }) => id);
    expect(seen).toContain(open.id);
    expect(seen).not.toContain(rule.id);
    const guest = await here.as({ role: "guest", projectRole: "member" });
    await guest.get(`W/automations/${open.id}`).expect(404);
    expect((await guest.get("W/automations").expect(200)).data).toEqual([]);
    const insider = await secret.as({ role: "member", projectRole: "member" });
    expect((await insider.get(`W/automations/${rule.id}`).expect(200)).data).toEqual(rule);
    await insider.patch(`W/automations/${rule.id}`, { name: "Mine" }).expect(403);
    const limited = await here.keyFor(owner, { projectIds: [here.project.id] });
    await limited.get(`W/automations/${rule.id}`).expect(404);
    await limited.get(`W/automations/${open.id}`).expect(404);
  });

  test("may be archived, and the automation can still be changed and deleted", async () => {
    const project = (await owner.post("W/projects", { name: "Old" }).expect(201)).data;
    const rule = await made({ project_id: project.id });
    await owner.delete(`W/projects/${project.key}`).expect(200);
    await owner.patch(`W/automations/${rule.id}`, { enabled: false }).expect(200);
    await owner.delete(`W/automations/${rule.id}`).expect(200);
  });
});

describe("conditions and actions", () => {
  test("are refused at the place that is wrong", async () => {
    expect(await refused({ actions: [] })).toBe("validation_failed /actions too_few_items");
    expect(await refused({ actions: Array(11).fill(actions[0]) })).toBe("validation_failed /actions too_many_items");
    expect(await refused({ actions: [{ type: "set_status" }] })).toBe("validation_failed /actions/0/status required");
    expect(await refused({ actions: [{ priority: "high" }] })).toBe("validation_failed /actions/0/type required");
    expect(await refused({ actions: [{ type: "explode" }] })).toBe("validation_failed /actions/0/type not_allowed");
    expect(await refused({ actions: [...actions, { type: "unassign", whom: "all" }] })).toContain("/actions/1/whom");
    const comment = { type: "add_comment", comment: "{{issue.secret}}" };
    expect(await refused({ actions: [comment] })).toContain("/actions/0/comment");
    const nobody = { type: "assign_to", assign_target: "member", member_id: newId() };
    expect(await refused({ actions: [...actions, nobody] })).toBe(
      "invalid_reference /actions/1/member_id invalid_reference",
    );
    expect(await refused({ conditions: { match: "all", rules: [{ field: "title" }] } })).toBe(
      "validation_failed /conditions/rules/0/op required",
    );
    const unknown = { field: `custom_field:${newId()}`, op: "is_set" };
    const deep = { match: "all", rules: [{ match: "any", rules: [unknown] }] };
    expect(await refused({ conditions: deep })).toBe("invalid_reference /conditions/rules/0/rules/0/field");
  });
});

describe("a change", () => {
  test("sends back what was shown, and changes nothing", async () => {
    const rule = await made({
      description: "All of it",
      trigger: "schedule",
      trigger_config: { cron: "0 9 * * *", filters: { q: "x" } },
      project_id: here.project.id,
      conditions: { match: "any", rules: [{ field: "estimate", op: "gt", value: "3" }] },
      actions: [{ type: "create_issue", issue: { title: "{{issue.title}}" } }],
      enabled: false,
    });
    expect(rule).toMatchObject({ enabled: false, disabled_reason: "user", next_run_at: null });
    const version = await versionOf();
    const { data } = await owner.patch(`W/automations/${rule.id}`, rule).expect(200);
    expect(data).toEqual(rule);
    await owner.patch(`W/automations/${rule.id}`, {}).expect(200);
    const { name, ...rest } = rule;
    const copy = await owner.post("W/automations", { name: `${name} 2`, ...writable(rest) }).expect(201);
    expect(writable(copy.data)).toEqual(writable(rest));
    expect((await eventsFor(rule.id)).map(({ type }) => type)).toEqual(["automation.created"]);
    // Only the copy is new.
    expect(await versionOf()).toBe(version + 1);
  });

  test("records what changed, and tells workers", async () => {
    const rule = await made({ project_id: here.project.id });
    const version = await versionOf();
    const { data } = await owner.patch(`W/automations/${rule.id}`, { name: "New", on_error: "continue" }).expect(200);
    expect(data).toMatchObject({ name: "New", on_error: "continue" });
    await owner.patch(`W/automations/${rule.id}`, { name: "New" }).expect(200);
    expect((await owner.delete(`W/automations/${rule.id}`).expect(200)).data).toEqual({ id: rule.id, deleted: true });
    expect(await versionOf()).toBe(version + 2);
    const events = await eventsFor(rule.id);
    expect(events.map(({ type, changed, project_id }) => [type, changed, project_id])).toEqual([
      ["automation.created", null, here.project.id],
      ["automation.updated", ["name", "on_error"], here.project.id],
      ["automation.deleted", null, here.project.id],
    ]);
    expect(events[2]!.data).toEqual(data);
    await owner.get(`W/automations/${rule.id}`).expect(404);
    await owner.delete(`W/automations/${rule.id}`).expect(404);
  });

  test("keeps the runs of a deleted automation for 30 days", async () => {
    const rule = await made();
    await owner.delete(`W/automations/${rule.id}`).expect(200);
    expect((await owner.get(`W/automations/${rule.id}/runs`).expect(200)).data).toEqual([]);
    await here.sql("update automation set deleted_at = now() - interval '30 days' where id = $1", [rule.id]);
    await owner.get(`W/automations/${rule.id}/runs`).expect(404);
  });

  test("refuses more actions than a run should copy", async () => {
    const text = "y".repeat(60_000);
    const action = { type: "create_issue", issue: { title: "Next", description_md: text }, project: "WEB" };
    const body = { name: "Long", trigger: "issue.created", actions: [action, action, action] };
    const { body: refused } = await owner.post("W/automations", body).expect(400);
    expect(refused.error.details.errors).toEqual([expect.objectContaining({ path: "/actions", code: "too_long" })]);
  });

  test("obeys If-Match", async () => {
    const rule = await made();
    const etag = (await owner.get(`W/automations/${rule.id}`).expect(200)).headers.get("etag")!;
    const to = (name: string) => owner.patch(`W/automations/${rule.id}`, { name }, { headers: { "if-match": etag } });
    await to("One").expect(200);
    await to("Two").expect(412, "precondition_failed");
  });

  test("keeps references to what is gone, unless it touches them", async () => {
    const someone = await here.as({ role: "member" });
    const rule = await made({ trigger: "issue.assigned", trigger_config: { user_id: someone.userId } });
    await owner.delete(`W/members/${someone.userId}`).expect(200);
    const same = { name: "Still", trigger_config: { user_id: someone.userId } };
    await owner.patch(`W/automations/${rule.id}`, same).expect(200);
    await owner
      .patch(`W/automations/${rule.id}`, { trigger: "issue.unassigned", ...same })
      .expect(400, "invalid_reference");
  });

  test("is for owners and admins", async () => {
    const rule = await made();
    const member = await here.as({ role: "member" });
    await member.post("W/automations", body()).expect(403);
    await member.patch(`W/automations/${rule.id}`, { name: "Mine" }).expect(403);
    await member.delete(`W/automations/${rule.id}`).expect(403);
    const { owner: stranger } = await here.other();
    await stranger.get(`W/automations/${rule.id}`).expect(404);
    await stranger.get(`W/automations/${rule.id}/runs`).expect(404);
  });
});

describe("enabling", () => {
  const fail = (id: string, reason: string) =>
    here.sql(
      `with tally as (
         update automation_tally set run_count = 7, failure_count = 3, failures_in_a_row = 3, loops_at = '{2026-01-01}'
         where automation_id = $1)
       update automation set enabled = false, disabled_reason = $2 where id = $1`,
      [id, reason],
    );
  const set = async (id: string, enabled: boolean, client = owner) =>
    (await client.patch(`W/automations/${id}`, { enabled }).expect(200)).data;

  test("clears what disabled the automation", async () => {
    const rule = await made();
    await fail(rule.id, "failing");
    const { data } = await owner.get(`W/automations/${rule.id}`).expect(200);
    expect(data).toMatchObject({ enabled: false, disabled_reason: "failing", run_count: 7, failure_count: 3 });
    expect(await set(rule.id, true)).toMatchObject({ enabled: true, disabled_reason: null });
    const [tally] = await here.sql(
      `select failures_in_a_row, cardinality(loops_at) as loops from automation_tally where automation_id = $1`,
      [rule.id],
    );
    expect(tally).toEqual({ failures_in_a_row: 0, loops: 0 });
    expect((await owner.get(`W/automations/${rule.id}`).expect(200)).data).toMatchObject({
      run_count: 7,
      failure_count: 0,
    });
    await here.sql("update automation_tally set failure_count = 2 where automation_id = $1", [rule.id]);
    expect(await set(rule.id, true)).toMatchObject({ enabled: true, failure_count: 0 });
    expect(await set(rule.id, false)).toMatchObject({ enabled: false, disabled_reason: "user" });
  });

  test("again makes the admin the creator if the creator lacked the rights", async () => {
    const admin = await here.as({ role: "admin" });
    const rule = await made({}, admin);
    expect(rule.created_by).toBe(admin.userId);
    await fail(rule.id, "loop");
    expect(await set(rule.id, true)).toMatchObject({ created_by: admin.userId });
    await fail(rule.id, "rights");
    expect(await set(rule.id, true)).toMatchObject({ created_by: owner.userId });
    const other = await made({}, admin);
    await set(other.id, false);
    await owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
    expect(await set(other.id, true)).toMatchObject({ created_by: owner.userId });
  });
});

test("only owners and admins see the whole address of a receiver", async () => {
  const url = "https://hooks.example.com/T0/secret";
  const rule = await made({ actions: [{ type: "send_webhook", url }] });
  const viewer = await here.as({ role: "viewer" });
  const shown = async (client: Client) => {
    const { data: one } = await client.get(`W/automations/${rule.id}`).expect(200);
    const { data: all } = await client.get("W/automations").expect(200);
    return [one, all[0]].map(({ actions: [action] }) => action.url);
  };
  expect(await shown(owner)).toEqual([url, url]);
  const reader = await here.keyFor(owner, { scopes: ["read"] });
  for (const client of [viewer, reader]) {
    expect(await shown(client)).toEqual(["https://hooks.example.com/…", "https://hooks.example.com/…"]);
  }
  // It comes back from those who were not shown it, and stays as it is.
  const actions = [{ type: "send_webhook", url: "https://hooks.example.com/…" }];
  const path = `W/automations/${rule.id}`;
  expect((await owner.patch(path, { name: "Kept", actions }).expect(200)).data.actions).toEqual([
    { type: "send_webhook", url },
  ]);
  for (const other of ["https://other.example.com/…", "https://hooks.example.com/a/…"]) {
    const sent = [{ type: "send_webhook", url: other }];
    await owner.patch(path, { actions: [actions[0], ...sent] }).expect(400, "invalid_reference");
  }
  await owner.post("W/automations", body({ actions })).expect(400, "invalid_reference");
});

test("members do not see the names of projects and issues that are hidden from them", async () => {
  const hidden = await here.hidden("HID");
  const { data: secret } = await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const { data: open } = await owner.post("P/issues", { title: "Open" }).expect(201);
  const rules = (project: string, parent: string) => [
    { match: "any", rules: [{ field: "project", op: "is_one_of", value: [project, here.project.key] }] },
    { field: "parent", op: "is_not", value: parent },
  ];
  const actions = (project: string, key: string, id: string) => [
    { type: "create_issue", project, issue: { title: "HID", parent: key } },
    { type: "link_issue", kind: "relates_to", target_key: id },
    { type: "set_field", field: "epic", value: key },
    { type: "set_field", field: "parent", value: "{{issue.key}}" },
    { type: "link_issue", kind: "relates_to", target_key: open.key },
  ];
  const rule = await made({
    conditions: { match: "all", rules: rules("HID", secret.key) },
    actions: actions("HID", secret.key, secret.id),
  });
  const member = await here.as({ role: "member" });
  const seen = async (client: Client) => {
    const { data: one } = await client.get(`W/automations/${rule.id}`).expect(200);
    const { data: all } = await client.get("W/automations").expect(200);
    expect(all[0]).toEqual(one);
    return one;
  };
  expect(await seen(owner)).toMatchObject({ actions: actions("HID", secret.key, secret.id) });
  expect(await seen(member)).toMatchObject({
    conditions: { match: "all", rules: rules("…", "…") },
    actions: actions("…", "…", "…"),
  });
});

test("runs are listed newest first when they have ended, without what the reader cannot see", async () => {
  const hidden = await here.hidden("RUN");
  const rule = await made();
  const { data: open } = await owner.post("P/issues", { title: "Open" }).expect(201);
  const { data: secret } = await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const addRun = (issueId: string | null, target: string | null, minute: number, status: string | null) =>
    here.sql(
      `insert into automation_run (id, workspace_id, automation_id, event_id, issue_id, trigger, root_event_id, depth,
                                   plan, actions_applied, status, detail, started_at, finished_at, created_at)
       values (uuidv7(), $1, $2, gen_random_uuid(), $3::uuid, 'issue.created', gen_random_uuid(), 1, '{}', $4, $5, 'Why',
               $6, $6::timestamptz + interval '1.5 s', $6)`,
      [
        here.workspace.id,
        rule.id,
        issueId,
        JSON.stringify([{ type: "set_priority", ok: true, detail: "Priority: high.", issue_id: target }]),
        status,
        `2026-11-01T00:0${minute}:00Z`,
      ],
    );
  await addRun(null, null, 1, "ok");
  await addRun(secret.id, secret.id, 2, "error");
  await addRun(open.id, open.id, 3, null);
  await addRun(open.id, secret.id, 4, "partial");
  const runs = async (client: Client) => (await client.get(`W/automations/${rule.id}/runs`).expect(200)).data;
  const all = await runs(owner);
  expect(all.map(({ status, issue_key }: Record<string, string>) => [status, issue_key])).toEqual([
    ["partial", open.key],
    ["error", secret.key],
    ["ok", null],
  ]);
  expect(all[0]).toMatchObject({ automation_id: rule.id, duration_ms: 1500, depth: 1, reason: null, detail: "Why" });
  const [partial, error, ok] = await runs(await here.as({ role: "viewer" }));
  expect(ok).toEqual(all[2]);
  expect(error).toMatchObject({ issue_id: null, issue_key: null, detail: null });
  expect(partial).toMatchObject({ issue_id: open.id, issue_key: open.key, detail: "Why" });
  for (const run of [partial, error]) {
    expect(run.actions_applied).toEqual([{ type: "set_priority", ok: true, detail: null, issue_id: null }]);
  }
});
