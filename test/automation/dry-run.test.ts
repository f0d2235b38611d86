import { expect, test } from "vitest";
import { snapshot } from "../contract/snapshot.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";

/** What a dry run says, and that it changes nothing. */

async function prepared(rule: Record<string, unknown>, title = "Crash on <save>") {
  const here = await world();
  const { data: issue } = await here.owner.post("P/issues", { title, type: "bug" }).expect(201);
  const { data: automation } = await here.owner
    .post("W/automations", { name: "Rule", trigger: "issue.created", ...rule })
    .expect(201);
  return { here, issue, automation };
}

/** A dry run, which must leave every row as it was. */
async function run(here: World, { id }: { id: string }, issueKey: string | null, client = here.owner) {
  const before = await snapshot(here);
  const { data } = await client.post(`W/automations/${id}/dry-run`, { issue_key: issueKey }).expect(200);
  expect(await snapshot(here)).toEqual(before);
  return data;
}

test("tells what each action would do, and changes nothing", async () => {
  const { here, issue, automation } = await prepared({
    conditions: { match: "all", rules: [{ field: "type", op: "is", value: "bug" }] },
    on_error: "continue",
    actions: [
      { type: "set_priority", priority: "critical" },
      { type: "set_status", status: "in_progress" },
      { type: "add_comment", comment: "{{actor.name}}: {{issue.title}}" },
      { type: "create_issue", issue: { title: "Follow up on {{issue.key}}" }, link_kind: "blocks" },
      { type: "archive_issue" },
      { type: "set_priority", priority: "low", target: "parent" },
    ],
  });
  const data = await run(here, automation, issue.key.toLowerCase());
  expect(data).toMatchObject({
    automation_id: automation.id,
    issue_key: issue.key,
    matched: true,
    failed: null,
    skipped_reason: null,
    last_skipped: null,
    omitted: 0,
  });
  const said = data.actions.map(({ type, issue_key, ok }: Record<string, unknown>) => [type, issue_key, ok]);
  expect(said).toEqual([
    ["set_priority", issue.key, true],
    ["set_status", issue.key, true],
    ["add_comment", issue.key, true],
    ["create_issue", null, true],
    ["archive_issue", issue.key, true],
    ["set_priority", null, true],
  ]);
  const [priority, , comment, created, , parent] = data.actions;
  expect(priority.action).toEqual({ type: "set_priority", priority: "critical", target: "self" });
  expect(priority.detail).toMatch(/critical/);
  expect(comment.action.comment).toBe("Olive Owner: Crash on \\<save\\>");
  expect(created.action.issue.title).toBe(`Follow up on ${issue.key}`);
  expect(parent.detail).toBe("There is no such issue that this may change.");
});

test("names the first rule that does not apply, and then tries nothing", async () => {
  const { here, issue, automation } = await prepared({
    conditions: {
      match: "all",
      rules: [
        { field: "title", op: "contains", value: "crash" },
        { match: "any", rules: [{ field: "priority", op: "is", value: "critical" }] },
      ],
    },
    actions: [{ type: "archive_issue" }],
  });
  expect(await run(here, automation, issue.id)).toMatchObject({
    matched: false,
    failed: { path: "/conditions/rules/1/rules/0", message: "priority is medium. Wanted: is critical." },
    skipped_reason: null,
    actions: [],
  });
  const other = await here.hidden("OTH");
  const { data: elsewhere } = await other.owner.post("P/issues", { title: "Crash" }).expect(201);
  await here.owner
    .patch(`W/automations/${automation.id}`, { project_id: here.project.id, conditions: null })
    .expect(200);
  expect(await run(here, automation, elsewhere.key)).toMatchObject({
    matched: false,
    failed: { path: "/project_id" },
  });
});

test("says why an action would fail", async () => {
  const { here, issue, automation } = await prepared({ actions: [{ type: "unassign" }] });
  const { owner } = here;
  const { data: column } = await owner.post("P/statuses", { name: "Checking", category: "in_review" }).expect(201);
  const actions = [
    { type: "set_status", status: column.id },
    { type: "set_priority", priority: "high" },
  ];
  await owner.patch(`W/automations/${automation.id}`, { actions }).expect(200);
  await owner.delete(`P/statuses/${column.id}`).expect(200);
  const data = await run(here, automation, issue.key);
  expect(data.actions[0]).toMatchObject({ type: "set_status", ok: false, detail: expect.stringMatching(/^\w+: /) });
  expect(data.actions[1]).toMatchObject({ type: "set_priority", ok: true });
});

test("also answers while the automation is disabled, with the reason", async () => {
  const { here, issue, automation } = await prepared({
    enabled: false,
    actions: [{ type: "set_priority", priority: "high" }],
  });
  expect(await run(here, automation, issue.key)).toMatchObject({
    matched: true,
    skipped_reason: "The automation is disabled (user).",
    actions: [{ type: "set_priority", ok: true }],
  });
  await here.sql(
    `update automation_tally set last_skipped_at = '2026-11-01T00:00:00Z', last_skipped_reason = 'A loop.'
     where automation_id = $1`,
    [automation.id],
  );
  expect(await run(here, automation, issue.key)).toMatchObject({
    last_skipped: { at: "2026-11-01T00:00:00.000Z", reason: "A loop." },
  });
});

test("uses the present rights of the creator", async () => {
  const here = await world();
  const hidden = await here.hidden("SEC");
  const { data: issue } = await hidden.owner.post("P/issues", { title: "Secret" }).expect(201);
  const admin = await here.as({ role: "admin" });
  const actions = [{ type: "set_priority", priority: "high" }];
  const body = { name: "Rule", trigger: "issue.created", actions };
  const { data: rule } = await admin.post("W/automations", body).expect(201);
  expect((await run(here, rule, issue.key)).actions).toMatchObject([{ ok: true }]);
  // A member does not see the project.
  await here.owner.patch(`W/members/${admin.userId}`, { role: "member" }).expect(200);
  expect((await run(here, rule, issue.key)).actions).toMatchObject([
    { ok: false, detail: expect.stringMatching(/^not_found: /) },
  ]);
  await here.owner.delete(`W/members/${admin.userId}`).expect(200);
  expect(await run(here, rule, issue.key)).toMatchObject({
    matched: true,
    skipped_reason: "The automation is disabled (credential_ended).",
    actions: [],
  });
});

test("works without an issue", async () => {
  const { here, automation } = await prepared({
    trigger: "sprint.started",
    actions: [{ type: "create_issue", issue: { title: "Plan the sprint" }, project: "WEB" }],
  });
  expect(await run(here, automation, null)).toMatchObject({
    issue_key: null,
    matched: true,
    actions: [{ type: "create_issue", issue_key: null, ok: true }],
  });
});

test("says that an action on issues does nothing without one", async () => {
  const { here, automation } = await prepared({
    trigger: "schedule",
    trigger_config: { cron: "0 9 * * *" },
    actions: [{ type: "set_priority", priority: "high" }],
  });
  expect((await run(here, automation, null)).actions).toMatchObject([
    { issue_key: null, detail: "Skipped: The run is about no issue." },
  ]);
});

test("tries at most fifty issues", async () => {
  const { here, issue, automation } = await prepared({
    actions: [
      { type: "set_priority", priority: "high", target: "children" },
      { type: "set_priority", priority: "low" },
    ],
  });
  for (let n = 0; n < 50; n++) {
    await here.owner.post("P/issues", { title: `Part ${n}`, type: "subtask", parent_id: issue.key }).expect(201);
  }
  const { actions, omitted } = await run(here, automation, issue.key);
  expect([actions.length, omitted]).toEqual([50, 1]);
});

test("is refused for strangers, members, and issues that are not there", async () => {
  const { here, issue, automation } = await prepared({ actions: [{ type: "set_priority", priority: "high" }] });
  const path = `W/automations/${automation.id}/dry-run`;
  await (await here.as({ role: "member" })).post(path, { issue_key: issue.key }).expect(403);
  const other = await here.other();
  await other.owner.post(path, { issue_key: issue.key }).expect(404);
  await here.owner.post(path, { issue_key: "WEB-999" }).expect(400, "invalid_reference");
  const { data: foreign } = await other.owner.post("P/issues", { title: "Theirs" }).expect(201);
  await here.owner.post(path, { issue_key: foreign.id }).expect(400, "invalid_reference");
  await here.owner.delete(`W/automations/${automation.id}`).expect(200);
  await here.owner.post(path, { issue_key: issue.key }).expect(404);
});

const PATHS = ["issue.reporter", "actor.name", "actor.kind", "automation.name", "event.type", "issue.status"];

test("fills texts as the run does", async () => {
  const { here, issue, automation } = await prepared({
    trigger: "comment.added",
    actions: [{ type: "add_comment", comment: PATHS.map((path) => `{{${path}}}`).join(" / ") }],
  });
  const { actions } = await run(here, automation, issue.key);
  await here.owner.post(`P/issues/${issue.key}/comments`, { body_md: "Hello" }).expect(201);
  await drain();
  const { data } = await here.owner.get(`P/issues/${issue.key}/comments`).expect(200);
  expect(data.at(-1).body_md).toContain("Olive Owner / Olive Owner / user");
  expect(actions[0].action.comment).toBe(data.at(-1).body_md);
});

test("counts nobody as the one who makes the change if the clock starts the automation", async () => {
  const { here, issue, automation } = await prepared({
    trigger: "issue.overdue",
    conditions: { match: "all", rules: [{ field: "actor_kind", op: "is", value: "system" }] },
    actions: [{ type: "assign_to", assign_target: "triggering_user" }],
  });
  expect(await run(here, automation, issue.key)).toMatchObject({
    matched: true,
    actions: [{ ok: true, detail: expect.stringContaining("Skipped") }],
  });
});
