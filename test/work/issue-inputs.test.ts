import { expect, test } from "vitest";
import { world } from "../support/world.ts";

/** Which spellings the inputs and filters of issues take, and which of two fields wins. */

type Row = { title: string };
const titles = (rows: Row[]) => rows.map(({ title }) => title).join(" ");

test("status_id wins over status on creation, in bulk and in PATCH; in a transition both must agree", async () => {
  const { owner, columns } = await world();
  const both = { status: "todo", status_id: columns["In Review"] };
  const { data: issue } = await owner.post("P/issues", { title: "One", ...both }).expect(201);
  expect(issue).toMatchObject({ status: "in_review", status_id: columns["In Review"] });
  const { data: rows } = await owner.post("P/issues/bulk", { items: [{ title: "Two", ...both }] }).expect(201);
  expect(rows[0].data).toMatchObject({ status: "in_review" });

  const path = `P/issues/${issue.key}`;
  const done = { status: "cancelled", status_id: columns.Done };
  expect((await owner.patch(path, done).expect(200)).data).toMatchObject({ status: "done", status_id: columns.Done });
  await owner.post(`${path}/transition`, both).expect(400, "invalid_reference");
  const agreeing = { status: "in_review", status_id: columns["In Review"] };
  expect((await owner.post(`${path}/transition`, agreeing).expect(200)).data).toMatchObject(agreeing);
});

test("labels are taken as replies show them: on creation, in bulk and in PATCH", async () => {
  const { owner } = await world();
  await owner.post("P/labels", { name: "red" }).expect(201);
  await owner.post("P/labels", { name: "blue" }).expect(201);
  const { data: one } = await owner.post("P/issues", { title: "One", labels: ["red", "blue"] }).expect(201);
  expect(one.labels).toMatchObject([{ name: "red" }, { name: "blue" }]);

  const { data: two } = await owner.post("P/issues", { title: "Two", labels: one.labels }).expect(201);
  expect(two.labels).toEqual(one.labels);
  const { data: rows } = await owner.post("P/issues/bulk", { items: [{ title: "Three", labels: one.labels }] });
  expect(rows[0].data.labels).toEqual(one.labels);
  const [, blue] = one.labels;
  const patched = await owner.patch(`P/issues/${two.key}`, { labels: [blue], title: "Two again" }).expect(200);
  expect(patched.data.labels).toEqual([blue]);
  const [red] = one.labels;
  const moved = await owner.patch(`P/issues/${two.key}`, { add_labels: [red], remove_labels: [blue] }).expect(200);
  expect(moved.data.labels).toEqual([red]);
});

test("a priority is a word: numbers are refused with the words, in bodies, filters, views, automations and forms", async () => {
  const { owner } = await world({ plan: "business" });
  const words = ["lowest", "low", "medium", "high", "highest", "critical"];
  const refused = async (call: ReturnType<typeof owner.get>, code = "validation_failed") => {
    const { detail, error } = (await call.expect(400, code)).body;
    for (const word of words) expect(detail).toContain(word);
    return error.details;
  };
  const { data: issue } = await owner.post("P/issues", { title: "x", priority: "Urgent" }).expect(201);
  expect(issue.priority).toBe("critical");
  for (const priority of [0, 1, 5, 6, "1", "5"]) {
    const { errors } = await refused(owner.post("P/issues", { title: "x", priority }));
    expect(errors).toEqual([expect.objectContaining({ path: "/priority", code: "not_allowed", allowed: words })]);
    await refused(owner.patch(`P/issues/${issue.key}`, { priority }));
    await refused(owner.get(`P/issues?priority=${priority}`), "invalid_parameter");
    await refused(owner.get(`W/issues?priority=${priority}`), "invalid_parameter");
    await refused(owner.post("P/saved-views", { name: "V", filter: { priorities: [priority] } }));
    const all = { projectIds: [], statuses: [], types: [], assigneeId: null, sort: "created_desc" };
    await refused(owner.post("W/views", { name: "V", filter: { ...all, priorities: [priority] } }));
    const rule = { name: "A", trigger: "issue.priority_changed" };
    const actions = [{ type: "set_priority", priority: "low" }];
    await refused(owner.post("W/automations", { ...rule, actions: [{ type: "set_priority", priority }] }));
    await refused(owner.post("W/automations", { ...rule, actions, trigger_config: { to: [priority] } }));
    const conditions = { match: "all", rules: [{ field: "priority", op: "is", value: priority }] };
    await refused(owner.post("W/automations", { ...rule, actions, conditions }));
    const title = { kind: "short_text", label: "Title", mapping: "title" };
    const asked = { kind: "select", label: "Priority", mapping: "priority", options: ["High", String(priority)] };
    await refused(owner.post("P/forms", { title: "F", priority, fields: [title] }));
    await refused(owner.post("P/forms", { title: "F", fields: [title, asked] }));
  }
  const bulk = await owner.post("P/issues/bulk", { items: [{ title: "y", priority: 1 }] }).expect(207);
  expect(bulk.data[0].error.message).toContain("lowest, low, medium, high, highest, critical");
});

test("status= finds a column by its exact name before it reads it as a category", async () => {
  const { owner } = await world();
  const column = (name: string, category: string) =>
    owner.post("P/statuses", { name, color: "#112233", category }).expect(201);
  await column("todo", "in_review");
  await column("Started", "backlog");
  await column("Shipped", "done");
  const statuses = [{ title: "a" }, { title: "b", status: "in_progress" }, { title: "c", status: "done" }];
  await owner.post("P/issues/bulk", { items: statuses }).expect(201);
  const { data: board } = await owner.get("P/statuses").expect(200);
  for (const name of ["todo", "Started", "Shipped"]) {
    const { id } = board.find((one: { name: string }) => one.name === name);
    await owner.post("P/issues", { title: name, status_id: id }).expect(201);
  }
  const found = async (query: string) => titles((await owner.get(`P/issues?${query}`).expect(200)).data);
  expect(await found("status=todo")).toBe("todo");
  expect(await found("status=TODO")).toBe("a");
  expect(await found("status=To Do")).toBe("a");
  expect(await found("status=Started")).toBe("Started");
  expect(await found("status=started")).toBe("b");
  expect(await found("status=Done")).toBe("c");
  expect(await found("status=done")).toBe("c Shipped");
  expect(await found("status=SHIPPED")).toBe("Shipped");
  expect(await found("status=todo,done")).toBe("c todo Shipped");
  const { data: view } = await owner.post("P/saved-views", { name: "V", filter: { statuses: ["todo"] } }).expect(201);
  expect(await found(`view=${view.id}`)).toBe("todo");
});
