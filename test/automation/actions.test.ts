import { expect, test } from "vitest";
import { ActionInput } from "../../src/domain/automation/actions/inputs.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { world } from "../support/world.ts";
import { apply, problems, ROOT, RULE } from "./acting.ts";

/** What all actions have in common: their parameters, targets and rights. */

const fails = (action: object) => {
  const read = ActionInput.safeParse(action);
  return read.success
    ? []
    : read.error.issues.map((issue) => {
        const { params, code } = issue as { params?: { code: string }; code: string };
        return `/${issue.path.join("/")} ${params?.code ?? code}`;
      });
};

test.each<[object, string]>([
  [{ type: "set_status" }, "/status invalid_type"],
  [{ type: "set_priority" }, "/priority invalid_value"],
  [{ type: "assign_to" }, "/assign_target invalid_value"],
  [{ type: "assign_to", assign_target: "member" }, "/member_id required"],
  [{ type: "assign_to", assign_target: "round_robin" }, "/member_ids required"],
  [{ type: "add_label" }, "/label_id invalid_type"],
  [{ type: "remove_label" }, "/label_id invalid_type"],
  [{ type: "move_to_sprint", sprint_target: "specific" }, "/sprint_id required"],
  [{ type: "add_comment" }, "/comment invalid_type"],
  [{ type: "add_comment", comment: "x".repeat(2_001) }, "/comment too_big"],
  [{ type: "notify_agent" }, "/agent_user_id invalid_type"],
  [{ type: "set_field", field: "rank", value: "a" }, "/field invalid_value"],
  [{ type: "set_custom_field", field: "x" }, "/value invalid_union"],
  [{ type: "create_issue" }, "/title required"],
  [{ type: "create_issue", issue: { title: "a" }, title: "b" }, "/title not_allowed"],
  [{ type: "link_issue", kind: "blocks" }, "/target_key invalid_type"],
  [{ type: "notify_users", message: "x" }, "/user_ids required"],
  [{ type: "post_message", body_md: "x" }, "/channel_id invalid_type"],
  [{ type: "send_webhook" }, "/webhook_id required"],
  [{ type: "start_workflow" }, "/workflow_id invalid_type"],
  [{ type: "unassign", target: "siblings" }, "/target invalid_value"],
  [{ type: "explode" }, "/type invalid_union"],
])("%j is refused: %s", (action, problem) => expect(fails(action)).toContain(problem));

test("the fields of a new issue may be sent in issue or beside the type", () => {
  const nested = ActionInput.parse({ type: "create_issue", issue: { title: "a", labels: ["x"] } });
  expect(ActionInput.parse({ type: "create_issue", title: "a", labels: ["x"] })).toEqual(nested);
  expect(nested).toEqual({
    type: "create_issue",
    issue: { type: "task", priority: "medium", title: "a", labels: ["x"] },
  });
});

test("a rule changes the issue with its name as the actor, and the cause of the chain", async () => {
  const here = await world();
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  expect(await apply(here, { type: "set_status", status: "In Progress" }, issue.id)).toEqual([
    { result: "done", detail: "Status: In Progress." },
  ]);
  expect(await apply(here, { type: "set_priority", priority: "critical" }, issue.id)).toMatchObject([
    { result: "done" },
  ]);
  expect(await apply(here, { type: "set_priority", priority: "critical" }, issue.id)).toMatchObject([
    { result: "skipped" },
  ]);

  const after = (await here.owner.get(`P/issues/${issue.key}`).expect(200)).data;
  expect(after).toMatchObject({ status: "in_progress", priority: "critical", version: issue.version + 2 });
  const events = await here.sql(
    `select distinct actor_kind, actor_id, cause from event where issue_id = $1 and actor_kind <> 'user'`,
    [issue.id],
  );
  expect(events).toEqual([
    { actor_kind: "automation", actor_id: RULE.id, cause: { automation_id: RULE.id, root_event_id: ROOT, depth: 1 } },
  ]);
});

test("targets are the issue's parent, children and links, without those that the creator cannot see", async () => {
  const here = await world();
  const create = async (body: object, at = here) => (await at.owner.post("P/issues", body).expect(201)).data;
  const parent = await create({ title: "Parent" });
  const self = await create({ title: "Self", parent: parent.key });
  const [a, b] = [await create({ title: "A", parent: self.key }), await create({ title: "B", parent: self.key })];
  const hidden = await here.hidden();
  const secret = await create({ title: "Secret" }, hidden);
  for (const target_key of [a.key, secret.key]) {
    await here.owner.post(`P/issues/${self.key}/links`, { kind: "blocks", direction: "out", target_key }).expect(201);
  }
  await here.owner.delete(`P/issues/${b.key}`).expect(200);
  const member = await here.as({ role: "member" });
  const touched = async (target: string, userId?: string) => {
    await here.sql(`update issue set priority = 'low' where workspace_id = $1`, [here.workspace.id]);
    await apply(here, { type: "set_priority", priority: "high", target }, self.id, userId ? { userId } : {});
    const rows = await here.sql<{ title: string }>(
      `select title from issue where workspace_id = $1 and priority = 'high' order by title`,
      [here.workspace.id],
    );
    return rows.map(({ title }) => title);
  };
  expect(await touched("self")).toEqual(["Self"]);
  expect(await touched("parent")).toEqual(["Parent"]);
  expect(await touched("children")).toEqual(["A"]);
  expect(await touched("linked:blocks")).toEqual(["A", "Secret"]);
  expect(await touched("linked:blocks", member.userId)).toEqual(["A"]);
  expect(await touched("linked:is_blocked_by")).toEqual([]);
});

test("an action needs the same role as a call", async () => {
  const here = await world();
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  const viewer = await here.as({ role: "viewer" });
  const guest = await here.as({ role: "guest", projectRole: "member" });
  const projectViewer = await here.as({ role: "member", projectRole: "viewer" });
  const priority = { type: "set_priority", priority: "critical" };
  for (const { userId } of [viewer, guest, projectViewer]) {
    await expect(apply(here, priority, issue.id, { userId })).rejects.toMatchObject({ code: "insufficient_role" });
  }
  const comment = { type: "add_comment", comment: "Hello" };
  expect(await apply(here, comment, issue.id, { userId: guest.userId })).toMatchObject([{ result: "done" }]);
  const hidden = await here.hidden();
  const secret = (await hidden.owner.post("P/issues", { title: "Secret" }).expect(201)).data;
  const member = await here.as({ role: "member" });
  await expect(apply(here, priority, secret.id, { userId: member.userId })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(apply(await world(), priority, issue.id)).rejects.toMatchObject({ code: "not_found" });
});

test("an archived issue is skipped", async () => {
  const here = await world();
  const issue = (await here.owner.post("P/issues", { title: "One" }).expect(201)).data;
  await here.owner.delete(`P/issues/${issue.key}`).expect(200);
  expect(await apply(here, { type: "set_priority", priority: "low" }, issue.id)).toEqual([
    { result: "skipped", detail: "The issue is archived." },
  ]);
});

test("what actions name has to exist in the project, and be visible", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const secret = (await hidden.owner.post("P/labels", { name: "secret", color: "#ffffff" }).expect(201)).data;
  const label = (await here.owner.post("P/labels", { name: "Bug", color: "#ffffff" }).expect(201)).data;
  const fine = [
    { type: "set_status", status: "in_progress" },
    { type: "set_status", status: "in progress" },
    { type: "set_status", status: here.columns.Done! },
    { type: "add_label", label_id: label.id },
    { type: "add_label", label_id: "bug" },
    { type: "assign_to", assign_target: "member", member_id: here.owner.userId },
    { type: "add_comment", comment: "{{issue.title}} {{ actor.name }}" },
    { type: "set_field", field: "due_at", value: "2027-01-01" },
  ];
  expect(await problems(here, fine, here.project.id)).toEqual([]);
  expect(await problems(here, fine, null)).toEqual([]);

  const wrong = [
    { type: "set_status", status: "Nowhere" },
    { type: "set_status", status: newId() },
    { type: "add_label", label_id: secret.id },
    { type: "assign_to", assign_target: "round_robin", member_ids: [here.owner.userId, newId()] },
    { type: "add_comment", comment: "{{issue.secret}}" },
    { type: "set_field", field: "due_at", value: "tomorrow" },
    { type: "post_message", channel_id: newId(), body_md: "x" },
    { type: "link_issue", kind: "blocks", target_key: "WEB-99" },
  ];
  expect((await problems(here, wrong, here.project.id)).map(({ index, path, code }) => [index, path, code])).toEqual([
    [0, "/actions/0/status", "invalid_reference"],
    [1, "/actions/1/status", "invalid_reference"],
    [2, "/actions/2/label_id", "invalid_reference"],
    [3, "/actions/3/member_ids/1", "invalid_reference"],
    [4, "/actions/4/comment", "not_allowed"],
    [5, "/actions/5/value", "not_allowed"],
    [6, "/actions/6/channel_id", "invalid_reference"],
    [7, "/actions/7/target_key", "invalid_reference"],
  ]);
});
