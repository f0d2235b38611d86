import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { type World, world } from "../support/world.ts";
import { apply, problems } from "./acting.ts";

/** Actions that change an issue: its column, fields, people and plans. */

const issueIn = async (here: World, body: object = {}) =>
  (await here.owner.post("P/issues", { title: "One", ...body }).expect(201)).data;
const read = async (here: World, { key }: { key: string }) =>
  (await here.owner.get(`P/issues/${key}`).expect(200)).data;
const DONE = [{ result: "done" }];

test("a move names a column by category, id or name, and keeps the rules of the board", async () => {
  const here = await world();
  const issue = await issueIn(here);
  for (const [status, name] of [
    ["started", "In Progress"],
    [here.columns["In Review"], "In Review"],
    ["backlog", "Backlog"],
    ["to do", "To Do"],
  ]) {
    expect(await apply(here, { type: "set_status", status }, issue.id)).toMatchObject(DONE);
    expect((await read(here, issue)).status_name).toBe(name);
  }
  await here.owner
    .patch("P", { transition_rules: { [here.columns["To Do"]!]: [here.columns["In Progress"]] } })
    .expect(200);
  await expect(apply(here, { type: "set_status", status: "done" }, issue.id)).rejects.toMatchObject({
    code: "transition_not_allowed",
  });
  expect((await read(here, issue)).status_name).toBe("To Do");
  await expect(apply(here, { type: "set_status", status: "Nowhere" }, issue.id)).rejects.toMatchObject({
    code: "invalid_reference",
  });
});

test("a full column refuses the move of a rule", async () => {
  const here = await world();
  await here.owner.patch("P", { wip_mode: "enforce" }).expect(200);
  await here.owner.patch(`P/statuses/${here.columns["In Progress"]}`, { wip_limit: 1 }).expect(200);
  const [a, b] = [await issueIn(here), await issueIn(here)];
  expect(await apply(here, { type: "set_status", status: "in_progress" }, a.id)).toMatchObject(DONE);
  await expect(apply(here, { type: "set_status", status: "in_progress" }, b.id)).rejects.toMatchObject({
    code: "wip_limit_exceeded",
  });
});

test("assign_to names a member, who caused the event, the reporter, or members in turn without those who left", async () => {
  const here = await world();
  const [ada, bob, eve] = [
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
    await here.as({ role: "member" }),
  ];
  const issue = await issueIn(here);
  const assign = async (action: object, more: object = {}) => {
    const effects = await apply(here, { type: "assign_to", ...action }, issue.id, more);
    return [(await read(here, issue)).assignees, effects[0]?.result];
  };
  expect(await assign({ assign_target: "member", member_id: ada.userId })).toEqual([[ada.userId], "done"]);
  expect(await assign({ assign_target: "reporter" })).toEqual([[here.owner.userId], "done"]);
  expect(await assign({ assign_target: "triggering_user" }, { triggeringUserId: bob.userId })).toEqual([
    [bob.userId],
    "done",
  ]);
  expect(await assign({ assign_target: "triggering_user" })).toEqual([[bob.userId], "skipped"]);

  const turns = { assign_target: "round_robin", member_ids: [ada.userId, bob.userId, eve.userId] };
  const inTurn = async (ordinal: number) => (await assign(turns, { ordinal }))[0][0];
  expect([await inTurn(0), await inTurn(1), await inTurn(2), await inTurn(3)]).toEqual([
    ada.userId,
    bob.userId,
    eve.userId,
    ada.userId,
  ]);
  await here.owner.delete(`W/members/${bob.userId}`).expect(200);
  expect([await inTurn(0), await inTurn(1), await inTurn(2)]).toEqual([ada.userId, eve.userId, ada.userId]);
  await expect(assign({ assign_target: "member", member_id: bob.userId })).rejects.toMatchObject({
    code: "invalid_reference",
  });
  await expect(assign({ ...turns, member_ids: [bob.userId] })).rejects.toMatchObject({ code: "invalid_reference" });

  expect(await apply(here, { type: "unassign" }, issue.id)).toMatchObject(DONE);
  expect((await read(here, issue)).assignees).toEqual([]);
});

test("labels are added and removed by id and name; a deleted one is refused with its reason", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const label = (await here.owner.post("P/labels", { name: "Bug", color: "#ffffff" }).expect(201)).data;
  expect(await apply(here, { type: "add_label", label_id: "bug" }, issue.id)).toMatchObject(DONE);
  expect(await apply(here, { type: "add_label", label_id: label.id }, issue.id)).toMatchObject([{ result: "skipped" }]);
  expect((await read(here, issue)).labels).toMatchObject([{ id: label.id }]);
  expect(await apply(here, { type: "remove_label", label_id: label.id }, issue.id)).toMatchObject(DONE);
  expect((await read(here, issue)).labels).toEqual([]);
  await here.owner.delete(`P/labels/${label.id}`).expect(200);
  await expect(apply(here, { type: "add_label", label_id: label.id }, issue.id)).rejects.toMatchObject({
    code: "invalid_reference",
    message: "The label does not exist in WEB any more, or cannot be used there. Correct the action.",
  });
});

test("move_to_sprint knows the active sprint, a specific one and the backlog", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const move = async (action: object) => {
    await apply(here, { type: "move_to_sprint", ...action }, issue.id);
    return (await read(here, issue)).sprint_id;
  };
  await expect(move({ sprint_target: "active" })).rejects.toMatchObject({ message: "WEB has no active sprint." });
  const sprint = async (status: string) =>
    (await here.owner.post("P/sprints", { name: status, status }).expect(201)).data.id;
  const [planned, active] = [await sprint("planned"), await sprint("active")];
  expect(await move({ sprint_target: "active" })).toBe(active);
  expect(await move({ sprint_target: "specific", sprint_id: planned })).toBe(planned);
  expect(await move({ sprint_target: "backlog" })).toBe(null);
  await here.owner.delete(`P/sprints/${planned}`).expect(200);
  await expect(move({ sprint_target: "specific", sprint_id: planned })).rejects.toMatchObject({
    code: "invalid_reference",
  });
});

test.each([
  ["title", "Now {{issue.key}}", "Now WEB-1"],
  ["description_md", "See **{{issue.title}}**", "See **\\*One\\***"],
  ["type", "bug", "bug"],
  ["estimate_minutes", 90, 90],
  ["story_points", 5, 5],
  ["completion_pct", 100, 100],
  ["due_at", "2027-02-01", "2027-02-01T00:00:00.000Z"],
  ["story_points", null, null],
])("set_field sets %s to %j", async (field, value, shown) => {
  const here = await world();
  const issue = await issueIn(here, { title: "*One*", story_points: 1 });
  const values = { "issue.key": issue.key, "issue.title": issue.title };
  expect(await apply(here, { type: "set_field", field, value }, issue.id, { values })).toMatchObject(DONE);
  expect((await read(here, issue))[field]).toEqual(shown);
});

test("set_field refuses a value that the issue would refuse", async () => {
  const here = await world();
  const issue = await issueIn(here);
  for (const [field, value] of [
    ["story_points", 1.5],
    ["due_at", "{{issue.title}}"],
    ["milestone_id", newId()],
    ["title", "{{comment.body}}"],
    ["parent", "{{issue.key}}"],
  ]) {
    const values = { "issue.key": issue.key, "issue.title": "soon" };
    await expect(apply(here, { type: "set_field", field, value }, issue.id, { values })).rejects.toMatchObject({
      status: 400,
    });
  }
  expect((await read(here, issue)).version).toBe(issue.version);
});

test("set_custom_field sets values of every kind by the field's id or name", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const def = async (body: object) => (await here.owner.post("P/custom-field-defs", body).expect(201)).data.id;
  const text = await def({ name: "Browser", kind: "text" });
  const many = await def({ name: "Where", kind: "multi_select", options: ["a", "b"] });
  const yes = await def({ name: "Yes", kind: "checkbox" });
  const set = (field: string, value: unknown) =>
    apply(here, { type: "set_custom_field", field, value }, issue.id, { values: { "actor.name": "Ada" } });
  expect(await set(text, "by {{actor.name}}")).toMatchObject(DONE);
  expect(await set("where", ["a", "b"])).toMatchObject(DONE);
  expect(await set(yes, true)).toMatchObject(DONE);
  expect((await read(here, issue)).custom_fields).toEqual({ [text]: "by Ada", [many]: ["a", "b"], [yes]: true });
  expect(await set(many, null)).toMatchObject(DONE);
  await expect(set(yes, "maybe")).rejects.toMatchObject({ status: 400 });
  await expect(set("Nothing", "x")).rejects.toMatchObject({ code: "invalid_reference" });
});

test("archive_issue archives once; later actions on the issue are skipped", async () => {
  const here = await world();
  const issue = await issueIn(here);
  expect(await apply(here, { type: "archive_issue" }, issue.id)).toMatchObject(DONE);
  expect((await read(here, issue)).archived_at).not.toBeNull();
  for (const action of [{ type: "archive_issue" }, { type: "unassign" }, { type: "add_comment", comment: "x" }]) {
    expect(await apply(here, action, issue.id)).toMatchObject([{ result: "skipped" }]);
  }
});

test("link_issue links to an issue that the creator sees, once", async () => {
  const here = await world();
  const [a, b] = [await issueIn(here), await issueIn(here)];
  const link = { type: "link_issue", kind: "blocks", target_key: b.key };
  expect(await apply(here, link, a.id)).toMatchObject(DONE);
  expect(await apply(here, link, a.id)).toMatchObject([{ result: "skipped" }]);
  expect((await here.owner.get(`P/issues/${b.key}/links`).expect(200)).data).toMatchObject([
    { direction: "in", target_key: a.key },
  ]);
  await expect(apply(here, { ...link, target_key: a.key }, b.id)).rejects.toMatchObject({ code: "link_cycle" });
  await expect(apply(here, { ...link, target_key: a.key }, a.id)).rejects.toMatchObject({ code: "link_self" });
  const hidden = await here.hidden();
  const secret = await issueIn(hidden);
  const member = await here.as({ role: "member" });
  await expect(apply(here, { ...link, target_key: secret.key }, a.id, { userId: member.userId })).rejects.toMatchObject(
    {
      code: "invalid_reference",
    },
  );
});

test("the relatives that set_field names are looked up when the action is saved", async () => {
  const here = await world();
  const other = await here.other();
  const [ours, theirs] = [
    (await here.owner.post("P/issues", { title: "Ours" }).expect(201)).data,
    (await other.owner.post("P/issues", { title: "Theirs" }).expect(201)).data,
  ];
  const parent = (value: string | null) => problems(here, [{ type: "set_field", field: "parent", value }], null);
  expect(await parent(ours.key)).toEqual([]);
  expect(await parent(null)).toEqual([]);
  expect(await parent("{{issue.key}}")).toEqual([]);
  for (const ref of [theirs.id, "WEB-999"]) {
    expect(await parent(ref)).toMatchObject([{ path: "/actions/0/value", code: "invalid_reference" }]);
  }
});
