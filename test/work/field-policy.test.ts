import { expect, test } from "vitest";
import { NAME_OF_INPUT } from "../../src/domain/work/issues/allowed-fields.ts";
import { IssuePatchInput, IssueTransitionInput } from "../../src/domain/work/issues/inputs.ts";
import { TimePatchInput } from "../../src/domain/work/time/inputs.ts";
import { type World, world } from "../support/world.ts";

/** The fields of existing issues that an agent may change, whatever call changes them. */

async function agentIn(here: World, fieldPolicy: string[] | null) {
  const body = { name: "Bot", agent_name: "Bot", scopes: ["write"] };
  const id = (await here.owner.post("W/api-keys", body).expect(201)).data.agent_id as string;
  await here.sql(`update agent set field_policy = $2 where user_id = $1`, [id, fieldPolicy]);
  const member = Object.assign(await here.as({ role: "member" }), { userId: id });
  return here.keyFor(member, { scopes: ["write", "automations:write"] });
}

const issueIn = async (here: World, more = {}) =>
  (await here.owner.post("P/issues", { title: "One", ...more }).expect(201)).data;

test("an agent changes the fields of its policy and no others", async () => {
  const here = await world();
  const bot = await agentIn(here, ["status", "labels", "spent_minutes"]);
  const { key } = await issueIn(here);
  const label = (await here.owner.post("P/labels", { name: "urgent" }).expect(201)).data;
  const path = `P/issues/${key}`;
  const read = async () => (await here.owner.get(path).expect(200)).data;

  await bot.patch(path, { status: "in_progress" }).expect(200);
  expect((await bot.patch(path, { add_labels: [label.id] }).expect(200)).data.labels).toHaveLength(1);
  await bot.patch(`${path}/time`, { log: { minutes: 5 } }).expect(200);
  const before = await read();
  const refused = async (reply: Promise<{ body: { error: { details: Record<string, unknown> } } }>) =>
    (await reply).body.error.details.fields;
  const wrong = { title: "Two", priority: "high", due_at: "2030-01-01T00:00:00Z", status: "done" };
  expect(await refused(bot.patch(path, wrong).expect(403, "field_not_allowed"))).toEqual([
    "title",
    "priority",
    "due_at",
  ]);
  const { detail } = (await bot.patch(path, wrong).expect(403, "field_not_allowed")).body;
  expect(detail).toContain("may not change title, priority, due_at.");
  const assigned = { assignee_ids: ["me"] };
  expect(await refused(bot.patch(path, assigned).expect(403, "field_not_allowed"))).toEqual(["assignee_ids"]);
  const time = { estimate_minutes: 5, remaining_minutes: 2, spent_minutes: 10 };
  expect(await refused(bot.patch(`${path}/time`, time).expect(403, "field_not_allowed"))).toEqual([
    "estimate_minutes",
    "remaining_minutes",
  ]);
  expect(await read()).toEqual(before);
});

test("a transition is the field status, a position without one is the field rank", async () => {
  const here = await world();
  const [mover, ranker] = [await agentIn(here, ["status"]), await agentIn(here, ["rank"])];
  const [first, second] = [await issueIn(here), await issueIn(here)];
  const path = `P/issues/${second.key}`;
  await mover.post(`${path}/transition`, { status: "in_progress", position: "top", comment_md: "Going" }).expect(200);
  await mover.patch(path, { before: first.key }).expect(403, "field_not_allowed");
  expect((await ranker.patch(path, { before: first.key }).expect(200)).data.rank < first.rank).toBe(true);
  await ranker.post(`${path}/transition`, { status: "done", comment_md: "Done" }).expect(403, "field_not_allowed");
  const comments = (await here.owner.get(`${path}/comments`).expect(200)).data as { body_md: string }[];
  expect(comments.map(({ body_md }) => body_md)).toEqual(["Going"]);
});

test("an agent may send back what it has read", async () => {
  const here = await world();
  const bot = await agentIn(here, ["title"]);
  const { key } = await issueIn(here, { priority: "high", due_at: "2030-01-01T00:00:00Z" });
  const whole = async () => (await bot.get(`P/issues/${key}`).expect(200)).data;
  const sent = { ...(await whole()), title: "Two" };
  expect((await bot.patch(`P/issues/${key}`, sent).expect(200)).data.title).toBe("Two");
  const wrong = { ...(await whole()), title: "Three", priority: "low" };
  await bot.patch(`P/issues/${key}`, wrong).expect(403, "field_not_allowed");
});

test("a policy names all custom fields, or single ones", async () => {
  const here = await world();
  const field = async (name: string) =>
    (await here.owner.post("P/custom-field-defs", { name, kind: "text" }).expect(201)).data.id;
  const [one, two] = [await field("One"), await field("Two")];
  const [few, all] = [await agentIn(here, [`custom_field:${one}`]), await agentIn(here, ["custom_fields"])];
  const { key } = await issueIn(here, { custom_fields: { [two]: "kept" } });
  const path = `P/issues/${key}`;
  await few.patch(path, { custom_fields: { One: "a", Two: "kept" } }).expect(200);
  await few.put(`${path}/custom-fields/${one}`, { value: "b" }).expect(200);
  await few.put(`${path}/custom-fields/${two}`, { value: "b" }).expect(403, "field_not_allowed");
  const wrong = await few.patch(path, { custom_fields: { One: "c", Two: null } }).expect(403, "field_not_allowed");
  expect(wrong.body.error.details.fields).toEqual([`custom_field:${two}`]);
  expect((await here.owner.get(path).expect(200)).data.custom_fields).toMatchObject({ [one]: "b", [two]: "kept" });
  await all.patch(path, { custom_fields: { One: "c", Two: null } }).expect(200);
});

test("creating, commenting and archiving are no changes of fields", async () => {
  const here = await world();
  const bot = await agentIn(here, []);
  const { data } = await bot.post("P/issues", { title: "Mine", priority: "high" }).expect(201);
  await bot.post(`P/issues/${data.key}/comments`, { body_md: "Hi" }).expect(201);
  await bot.patch(`P/issues/${data.key}`, { title: "x" }).expect(403, "field_not_allowed");
  await bot.delete(`P/issues/${data.key}`).expect(200);
  const free = await agentIn(here, null);
  await free.post(`P/issues/${data.key}/restore`).expect(200);
  await free.patch(`P/issues/${data.key}`, { title: "x" }).expect(200);
});

test("every field that a call can change has a name in policies, or changes nothing", () => {
  const shapes = [IssuePatchInput, IssueTransitionInput, TimePatchInput].flatMap((input) => Object.keys(input.shape));
  // Logged minutes are time spent, and a comment is no field of the issue.
  const known = [...Object.keys(NAME_OF_INPUT), "log", "comment_md"];
  expect(shapes.filter((field) => !known.includes(field))).toEqual([]);
});

test("a policy holds for issues that change because something else changes", async () => {
  const here = await world();
  const make = async (path: string, body: object) => (await here.owner.post(path, body).expect(201)).data;
  const sprint = await make("P/sprints", { name: "S1" });
  const milestone = await make("P/milestones", { name: "M1" });
  const release = await make("P/releases", { name: "R1" });
  const label = await make("P/labels", { name: "urgent" });
  const size = await make("P/custom-field-defs", { name: "Size", kind: "select", options: ["s", "m"] });
  const column = (await here.owner.get("P/statuses").expect(200)).data[0];
  const { key } = await issueIn(here, {
    ...{ sprint_id: sprint.id, milestone_id: milestone.id, release_id: release.id, labels: [label.id] },
    ...{ status_id: column.id, custom_fields: { [size.id]: "s" } },
  });
  const before = (await here.owner.get(`P/issues/${key}`).expect(200)).data;

  const calls = [
    ["PATCH", `P/sprints/${sprint.id}`, { status: "completed", move_open_issues_to: "backlog" }, "sprint_id"],
    ["DELETE", `P/sprints/${sprint.id}`, undefined, "sprint_id"],
    ["DELETE", `P/milestones/${milestone.id}`, undefined, "milestone_id"],
    ["DELETE", `P/releases/${release.id}`, undefined, "release_id"],
    ["DELETE", `P/labels/${label.id}`, undefined, "labels"],
    ["PATCH", `P/custom-field-defs/${size.id}`, { options: ["m"] }, `custom_field:${size.id}`],
    ["DELETE", `P/custom-field-defs/${size.id}`, undefined, `custom_field:${size.id}`],
    ["PATCH", `P/statuses/${column.id}`, { category: "in_review" }, "status"],
  ] as const;
  const narrow = await agentIn(here, ["title"]);
  for (const [method, path, body, field] of calls) {
    const reply = await narrow.call(method, path, body);
    expect([reply.status, reply.body.code, path]).toEqual([403, "field_not_allowed", path]);
    expect(reply.body.error.details.fields).toEqual([field]);
  }
  expect((await here.owner.get(`P/issues/${key}`).expect(200)).data).toEqual(before);
  const unused = await make("P/labels", { name: "unused" });
  await narrow.delete(`P/labels/${unused.id}`).expect(200);

  const wide = await agentIn(here, [
    ...["sprint_id", "milestone_id", "release_id", "labels", "status"],
    `custom_field:${size.id}`,
  ]);
  for (const [method, path, body] of calls) {
    expect([(await wide.call(method, path, body)).status, path]).toEqual([200, path]);
  }
});
