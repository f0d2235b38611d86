import { expect, test, vi } from "vitest";
import { Connection } from "../../src/adapters/postgres-connection.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { world } from "../support/world.ts";

test("an issue is created with the board's defaults and read back by key in any case and by id", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/issues", { title: "  Fix login " }).expect(201);
  expect(data).toMatchObject({
    key: "WEB-1",
    number: 1,
    title: "Fix login",
    type: "task",
    priority: "medium",
    status: "todo",
  });
  expect(data.reporter_id).toBe(owner.userId);
  expect(data.counts.watchers).toBe(1);
  for (const ref of ["WEB-1", "web-1", data.id, data.id.toUpperCase(), data.id.replaceAll("-", "")]) {
    expect((await owner.get(`P/issues/${ref}`).expect(200)).data).toEqual(data);
  }
});

test("50 parallel creates get 50 numbers without gaps or duplicates", async () => {
  const { owner } = await world();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => owner.post("P/issues", { title: `Issue ${n}` }).expect(201)),
  );
  const numbers = replies.map((reply) => reply.data.number).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test("refused creates use no number", async () => {
  const { owner } = await world();
  await owner.post("P/issues", { title: "" }).expect(400);
  await owner.post("P/issues", { title: "x", assignee: "nobody@nowhere.test" }).expect(400, "invalid_reference");
  await owner.post("P/issues", { title: "x", external_source: "jira", external_id: "1" }).expect(201);
  const double = await owner
    .post("P/issues", { title: "x", external_source: "jira", external_id: "1" })
    .expect(409, "already_exists");
  expect(double.body.error.details.existing_id).toMatch(/^[0-9a-f-]{36}$/);
  expect((await owner.post("P/issues", { title: "y" }).expect(201)).data.number).toBe(2);
});

test("a patch changes only what differs, and is recorded in an event and the history", async () => {
  const { owner, sql, workspace } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Old", description: "text" }).expect(201);
  const same = await owner.patch(`P/issues/${issue.key}`, { title: "Old" }).expect(200);
  expect(same.data).toEqual(issue);
  expect((await owner.patch(`P/issues/${issue.key}`, {}).expect(200)).data.version).toBe(1);

  const { data } = await owner
    .patch(`P/issues/${issue.key}`, { title: "New", priority: "Urgent", assignee: "me", due_at: "2027-02-01" })
    .expect(200);
  expect(data).toMatchObject({
    title: "New",
    priority: "critical",
    assignee_id: owner.userId,
    due_at: "2027-02-01T00:00:00.000Z",
    version: 2,
  });

  const events = await sql<{ type: string; changed: string[]; previous: Record<string, unknown>; data: unknown }>(
    "select type, changed, previous, data from event where workspace_id = $1 and type <> 'issue.created' order by id",
    [workspace.id],
  );
  expect(events.map((event) => event.type)).toEqual(["issue.priority_changed", "issue.assigned", "issue.updated"]);
  expect(events.at(-1)).toMatchObject({ previous: { title: "Old", priority: "medium", assignee_id: null } });
  expect(events.at(-1)?.data).toEqual((await owner.get(`P/issues/${issue.key}`)).data);

  const { data: lines } = await owner.get(`P/issues/${issue.key}/activity`).expect(200);
  expect(lines.map((line: { kind: string }) => line.kind).sort()).toEqual([
    "assigned",
    "created",
    "updated",
    "updated",
    "updated",
  ]);
  await owner.patch(`P/issues/${issue.key}`, { title: "Newer", if_version: 1 }).expect(409, "version_conflict");
});

test("moves stamp start and resolution, update the columns' counts and follow the board's rules", async () => {
  const { owner, columns, sql, project } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Move me" }).expect(201);
  const path = `P/issues/${issue.key}`;
  const started = (await owner.post(`${path}/transition`, { status: "in progress" }).expect(200)).data;
  expect(started).toMatchObject({ status: "in_progress", status_name: "In Progress", resolved_at: null });
  expect(started.started_at).not.toBeNull();
  const done = (await owner.post(`${path}/transition`, { status_id: columns.Done, comment_md: "finished" }).expect(200))
    .data;
  expect(done.resolved_at).not.toBeNull();
  expect(done.counts.comments).toBe(1);
  const back = (await owner.patch(path, { status: "todo" }).expect(200)).data;
  expect(back).toMatchObject({ resolved_at: null, started_at: started.started_at });
  await owner.post(`${path}/transition`, { status: "failed" }).expect(400, "invalid_reference");
  await owner.post(`${path}/transition`, {}).expect(400, "validation_failed");

  await sql("update project set transition_rules = $2 where id = $1", [
    project.id,
    JSON.stringify({ [columns["To Do"]!]: [columns["In Progress"]] }),
  ]);
  const refused = await owner.patch(path, { status: "done" }).expect(409, "transition_not_allowed");
  expect(refused.body.error.details.allowed).toEqual([columns["In Progress"]]);
  await sql("update project set transition_rules = null, wip_mode = 'enforce' where id = $1", [project.id]);
  await sql("update board_status set wip_limit = 1 where id = $1", [columns.Done]);
  await owner.post("P/issues", { title: "fills it", status: "done" }).expect(201);
  await owner.patch(path, { status: "done" }).expect(409, "wip_limit_exceeded");

  const counts = await sql<{ name: string; issue_count: number; real: number }>(
    `select name, issue_count, (select count(*) from issue where status_id = s.id and archived_at is null) as real
     from board_status s where project_id = $1`,
    [project.id],
  );
  for (const column of counts) expect(column.issue_count, column.name).toBe(column.real);
});

test("moves determine the order of the board, and new issues come last", async () => {
  const { owner } = await world();
  await owner.post("P/issues/bulk", { items: ["A", "B", "C", "D"].map((title) => ({ title })) }).expect(201);
  const order = async () => (await owner.get("P/issues")).data.map((issue: { title: string }) => issue.title).join("");
  expect(await order()).toBe("ABCD");
  await owner.post("P/issues/WEB-4/transition", { status: "todo", position: "top" }).expect(200);
  expect(await order()).toBe("DABC");
  await owner.post("P/issues/WEB-1/transition", { status: "todo", after: "WEB-3" }).expect(200);
  expect(await order()).toBe("DBCA");
  await owner.patch("P/issues/WEB-3", { before: "WEB-4" }).expect(200);
  expect(await order()).toBe("CDBA");
  await owner.post("P/issues", { title: "E" }).expect(201);
  expect(await order()).toBe("CDBAE");
});

test("concurrent moves to one position leave every issue with a distinct rank", async () => {
  const { owner, sql, project } = await world();
  await owner.post("P/issues/bulk", { items: Array.from({ length: 20 }, (_, n) => ({ title: `I${n}` })) }).expect(201);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      owner.post(`P/issues/WEB-${n + 1}/transition`, { status: "todo", position: "top" }).expect(200),
    ),
  );
  await Promise.all(
    Array.from({ length: 15 }, (_, n) => owner.patch(`P/issues/WEB-${n + 2}`, { after: "WEB-1" }).expect(200)),
  );
  const [row] = await sql<{ ranks: number }>("select count(distinct rank) as ranks from issue where project_id = $1", [
    project.id,
  ]);
  expect(row?.ranks).toBe(20);
});

test("a long rank is rebalanced with its neighbours", async () => {
  const { owner, sql, project } = await world();
  await owner.post("P/issues/bulk", { items: [{ title: "A" }, { title: "B" }, { title: "C" }] }).expect(201);
  // Squeezing two issues between each other again and again makes their ranks grow a digit at a time.
  for (let n = 0; n < 150; n++) await owner.patch(`P/issues/WEB-${2 + (n % 2)}`, { after: "WEB-1" }).expect(200);
  const [row] = await sql<{ longest: number }>("select max(length(rank)) as longest from issue where project_id = $1", [
    project.id,
  ]);
  expect(row?.longest).toBeLessThanOrEqual(60);
});

test("archiving hides an issue from lists and forbids changes; restoring brings it back to its column", async () => {
  const { owner, sql } = await world();
  const { data: issue } = await owner.post("P/issues", { title: "Gone", status: "in_review" }).expect(201);
  const path = `P/issues/${issue.key}`;
  const archived = (await owner.delete(path).expect(200)).data;
  expect(archived.archived_at).not.toBeNull();
  expect((await owner.delete(path).expect(200)).data.archived_at).toBe(archived.archived_at);
  expect((await owner.get("P/issues")).data).toEqual([]);
  expect((await owner.get("P/issues?archived=true")).data).toHaveLength(1);
  await owner.patch(path, { title: "x" }).expect(409, "archived");
  await owner.post(`${path}/comments`, { body_md: "x" }).expect(409, "archived");
  expect((await owner.post(`${path}/restore`).expect(200)).data).toMatchObject({
    archived_at: null,
    status: "in_review",
    status_name: "In Review",
  });

  await owner.delete(path).expect(200);
  await sql("update issue set archived_at = now() - interval '31 days' where id = $1", [issue.id]);
  await owner.post(`${path}/restore`).expect(409, "restore_window_over");
});

test("parents, epics and depth are checked, and parents count their children", async () => {
  const { owner } = await world();
  const { data } = await owner
    .post("P/issues/bulk", {
      items: [
        { title: "Epic", type: "epic" },
        { title: "Story", type: "story", epic: "#0" },
        { title: "Sub", type: "subtask", parent: "#1" },
        { title: "Lost", parent: "#9" },
        { title: "Wrong", type: "epic", parent: "#1" },
      ],
    })
    .expect(207);
  expect(data.map((row: { ok: boolean }) => row.ok)).toEqual([true, true, true, false, false]);
  expect(data[2].data).toMatchObject({ parent_key: "WEB-2", epic_key: "WEB-1" });
  expect((await owner.get("P/issues/WEB-2")).data.children).toEqual({ total: 1, done: 0, cancelled: 0 });
  await owner.patch("P/issues/WEB-3", { status: "done" }).expect(200);
  expect((await owner.get("P/issues/WEB-2")).data.children).toEqual({ total: 1, done: 1, cancelled: 0 });
  const cycle = await owner.patch("P/issues/WEB-2", { parent: "WEB-3" }).expect(400, "parent_cycle");
  expect(cycle.body.error.details.cycle).toHaveLength(2);
  await owner.patch("P/issues/WEB-2", { parent: "WEB-2" }).expect(400, "parent_cycle");

  let parent = "WEB-3";
  for (let depth = 3; depth <= 8; depth++)
    parent = (await owner.post("P/issues", { title: "deeper", parent }).expect(201)).data.key;
  await owner.post("P/issues", { title: "too deep", parent }).expect(400, "depth_limit_reached");
});

test("bulk items are independent: each valid one is stored, whatever others fail", async () => {
  const { owner } = await world();
  const reply = await owner
    .post("P/issues/bulk", {
      items: [
        { title: "ok" },
        { titel: "typo" },
        { title: "dup", external_source: "s", external_id: "1" },
        { title: "dup", external_source: "s", external_id: "1" },
      ],
    })
    .expect(207);
  expect(reply.data.map((row: { status: number }) => row.status)).toEqual([201, 400, 201, 409]);
  expect(reply.data[1].error).toMatchObject({
    code: "validation",
    details: { code: "unknown_field", did_you_mean: "title" },
  });
  expect(reply.data[2].data.number).toBe(2);
  await owner.post("P/issues/bulk", { items: [] }).expect(400, "validation_failed");
  await owner
    .post("P/issues/bulk", { items: Array.from({ length: 51 }, () => ({ title: "x" })) })
    .expect(400, "validation_failed");
});

test("aliases, spellings and nulls are accepted; unknown fields are refused or, on request, ignored with a warning", async () => {
  const { owner } = await world();
  const body = { title: "x", body: "no", Type: "bug" };
  const refused = await owner.post("P/issues", body).expect(400, "unknown_field");
  expect(refused.body.error.details.path).toBe("/body");
  const lenient = await owner.post("P/issues", body, { headers: { prefer: "handling=lenient" } }).expect(201);
  expect(lenient.body.warnings.map((warning: { code: string }) => warning.code)).toEqual([
    "unknown_field",
    "unknown_field",
  ]);
  const created = await owner
    .post("P/issues", {
      title: "y",
      type: "BUG",
      description: "d",
      assignee_id: null,
      parent_id: null,
      priority: "High",
      status: "In-Progress",
    })
    .expect(201);
  expect(created.data).toMatchObject({ type: "bug", description_md: "d", priority: "high", status: "in_progress" });
  await owner.post("P/issues", { title: "z", description: "a", description_md: "b" }).expect(400, "mutually_exclusive");
});

test("a change to another issue's external id is refused, and source and id are set and cleared together", async () => {
  const { owner } = await world();
  const pair = { external_source: "jira", external_id: "1" };
  const { data: first } = await owner.post("P/issues", { title: "a", ...pair }).expect(201);
  await owner.post("P/issues", { title: "b", external_source: "jira", external_id: "2" }).expect(201);
  const refused = await owner.patch("P/issues/WEB-2", { external_id: "1", title: "x" }).expect(409, "already_exists");
  expect(refused.body.error.details.existing_id).toBe(first.id);
  expect((await owner.get("P/issues/WEB-2")).data).toMatchObject({ title: "b", external_id: "2", version: 1 });
  await owner.patch("P/issues/WEB-1", { external_id: null }).expect(400, "validation_failed");
  await owner.patch("P/issues/WEB-1", { external_source: null }).expect(400, "validation_failed");
  const none = { external_source: null, external_id: null };
  expect((await owner.patch("P/issues/WEB-1", none).expect(200)).data).toMatchObject(none);
  await owner.patch("P/issues/WEB-1", { external_id: "3" }).expect(400, "validation_failed");
  expect((await owner.patch("P/issues/WEB-2", pair).expect(200)).data).toMatchObject(pair);
});

test("if a bulk item loses a race for an external id, its children are refused with it", async () => {
  const { owner, sql, project } = await world();
  const items = [
    { title: "root", type: "epic", external_source: "jira", external_id: "1" },
    { title: "child", epic: "#0" },
    { title: "grandchild", parent: "#1" },
    { title: "other" },
  ];
  const replies = await Promise.all(Array.from({ length: 8 }, () => owner.post("P/issues/bulk", { items })));
  const results = replies.map(({ data }) => data.map((row: { status: number }) => row.status).join(" ")).sort();
  expect(results).toEqual(["201 201 201 201", ...Array(7).fill("409 400 400 201")]);
  for (const { data } of replies) {
    if (!data[0].ok) expect(data[0].error.details.existing_id).toMatch(/^[0-9a-f-]{36}$/);
    if (!data[1].ok) expect(data[1].error.details.code).toBe("invalid_reference");
  }
  const [row] = await sql<{ stored: number }>("select count(*) as stored from issue where project_id = $1", [
    project.id,
  ]);
  expect(row!.stored).toBe(3 + 8);
});

test("the second bulk item with one external id is a duplicate, and its error names no issue", async () => {
  const { owner } = await world();
  const item = { title: "dup", external_source: "s", external_id: "1" };
  const { data } = await owner.post("P/issues/bulk", { items: [{ ...item, parent: "WEB-9" }, item, item] }).expect(207);
  expect(data.map((row: { status: number }) => row.status)).toEqual([400, 201, 409]);
  expect(data[2].error.details).not.toHaveProperty("existing_id");
});

test("a column's limit applies to bulk items and to concurrent creates", async () => {
  const { owner, columns, sql, project } = await world();
  await sql("update project set wip_mode = 'enforce' where id = $1", [project.id]);
  const limit = (most: number) => sql("update board_status set wip_limit = $2 where id = $1", [columns["To Do"], most]);
  const held = async () => {
    const [row] = await sql<{ held: number }>("select count(*) as held from issue where status_id = $1", [
      columns["To Do"],
    ]);
    return row!.held;
  };
  await limit(2);
  const items = ["a", "b", "c", "d", "e"].map((title) => ({ title }));
  const bulk = await owner.post("P/issues/bulk", { items: [...items, { title: "f", status: "done" }] }).expect(207);
  expect(bulk.data.map((row: { status: number }) => row.status)).toEqual([201, 201, 409, 409, 409, 201]);
  expect(bulk.data[2].error.details).toMatchObject({ code: "wip_limit_exceeded", limit: 2, issue_count: 2 });

  await limit(6);
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => owner.post("P/issues", { title: `${n}` })));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(26).fill(409)]);
  expect(await held()).toBe(6);

  await sql("update project set wip_mode = 'warn' where id = $1", [project.id]);
  const warned = await owner.post("P/issues/bulk", { items: [{ title: "g" }, { title: "h" }] }).expect(201);
  expect(warned.body.warnings.map((warning: { issue_count: number }) => warning.issue_count)).toEqual([6, 7]);
});

test("new assignees and a new reporter watch the issue and are counted", async () => {
  const { owner, as, sql } = await world();
  const [anna, ben] = [await as({ role: "member" }), await as({ role: "member" })];
  const { data: issue } = await owner.post("P/issues", { title: "x" }).expect(201);
  const path = `P/issues/${issue.key}`;
  const watchers = async () =>
    (await sql<{ user_id: string }>("select user_id from watcher where issue_id = $1", [issue.id]))
      .map((row) => row.user_id)
      .sort();
  expect((await owner.patch(path, { assignee: anna.email }).expect(200)).data.counts.watchers).toBe(2);
  expect((await owner.patch(path, { assignee_ids: [anna.userId, owner.userId] })).data.counts.watchers).toBe(2);
  expect((await owner.patch(path, { reporter: ben.userId }).expect(200)).data.counts.watchers).toBe(3);
  expect(await watchers()).toEqual([owner.userId, anna.userId, ben.userId].sort());
  expect((await owner.get(path)).data.counts.watchers).toBe(3);
});

test("a move with a comment is the same in reply, GET and event", async () => {
  const { owner, as, sql } = await world();
  const anna = await as({ role: "member" });
  const { data: issue } = await owner.post("P/issues", { title: "x" }).expect(201);
  const path = `P/issues/${issue.key}`;
  for (const status of ["done", "done"]) {
    const { data } = await anna.post(`${path}/transition`, { status, comment_md: "there" }).expect(200);
    expect((await owner.get(path)).data).toEqual(data);
  }
  const [event] = await sql<{ data: { counts: object } }>(
    "select data from event where issue_id = $1 and type = 'issue.status_changed'",
    [issue.id],
  );
  expect(event!.data.counts).toMatchObject({ comments: 1, watchers: 2 });
  await anna.post(`${path}/transition`, { status: "todo", comment_md: "no", if_version: 1 }).expect(409);
  expect((await owner.get(path)).data.counts.comments).toBe(2);
});

test("history entries contain the names of the objects they reference", async () => {
  const { owner, as, sql, workspace, project } = await world();
  const anna = await as({ role: "member", name: "Anna" });
  const sprint = newId();
  await sql(
    `insert into sprint (id, workspace_id, project_id, name, status, rank, created_at, updated_at)
     values ($3, $1, $2, 'Sprint One', 'active', 'a1', now(), now())`,
    [workspace.id, project.id, sprint],
  );
  await owner.post("P/issues/bulk", { items: [{ title: "a" }, { title: "b" }] }).expect(201);
  const change = { parent: "WEB-1", priority: "high", assignee: anna.userId, sprint_id: sprint };
  await owner.patch("P/issues/WEB-2", change).expect(200);
  await owner.patch("P/issues/WEB-2", { assignee: null, sprint_id: null }).expect(200);
  const { data } = await owner.get("P/issues/WEB-2/activity").expect(200);
  type Line = { kind: string; payload: Record<string, unknown> };
  const lines = data.map(({ kind, payload: { field, from_name, to_name } }: Line) => [kind, field, from_name, to_name]);
  for (const line of [
    ["parent_changed", "parent_id", null, "WEB-1"],
    ["updated", "priority", "Medium", "High"],
    ["assigned", "assignees", null, "Anna"],
    ["unassigned", "assignees", "Anna", null],
    ["sprint_changed", "sprint_id", null, "Sprint One"],
    ["sprint_changed", "sprint_id", "Sprint One", null],
  ]) {
    expect(lines).toContainEqual(line);
  }
});

test("an archived parent or epic accepts no new children, and existing references to it can be sent back", async () => {
  const { owner } = await world();
  const items = [{ title: "epic", type: "epic" }, { title: "parent" }, { title: "child", parent: "#1", epic: "#0" }];
  await owner.post("P/issues/bulk", { items: [...items, { title: "other" }] }).expect(201);
  for (const key of ["WEB-1", "WEB-2"]) await owner.delete(`P/issues/${key}`).expect(200);
  for (const [family, message] of [
    [{ parent: "WEB-2" }, "The parent is archived."],
    [{ epic: "WEB-1" }, "The epic is archived."],
  ] as const) {
    const refused = await owner.post("P/issues", { title: "c", ...family }).expect(400, "invalid_reference");
    expect(refused.body.detail).toBe(message);
    await owner.patch("P/issues/WEB-4", family).expect(400, "invalid_reference");
  }
  const { parent_id, epic_id, version } = (await owner.get("P/issues/WEB-3").expect(200)).data;
  const same = await owner.patch("P/issues/WEB-3", { parent_id, epic_id }).expect(200);
  expect(same.data).toMatchObject({ version, parent_key: "WEB-2", epic_key: "WEB-1" });
  // What is put under the child belongs to its epic.
  const { data } = await owner.post("P/issues", { title: "grandchild", parent: "WEB-3" }).expect(201);
  expect(data).toMatchObject({ parent_key: "WEB-3", epic_key: "WEB-1" });
  await owner.patch("P/issues/WEB-3", { type: "epic" }).expect(400, "invalid_reference");
});

test("a bulk call reads the board once, whatever its items reference", async () => {
  const { owner } = await world();
  const items = Array.from({ length: 10 }, (_, n) => ({ title: `${n}`, status: n % 2 === 0 ? "done" : "backlog" }));
  const query = vi.spyOn(Connection.prototype, "query");
  await owner.post("P/issues/bulk", { items }).expect(201);
  const names = (query.mock.calls as unknown[][]).map(([sent]) => (sent as { name?: string }).name);
  expect(names.filter((name) => name === "board_columns")).toHaveLength(1);
  query.mockRestore();
});

test("a sprint, milestone or release is found only by its own field, whatever other fields reference", async () => {
  const { owner } = await world();
  const { id } = (await owner.post("P/sprints", { name: "One" }).expect(201)).data;
  const { data } = await owner.post("P/issues", { title: "a" }).expect(201);
  for (const field of ["milestone_id", "release_id"]) {
    const mixed = { sprint_id: id, [field]: id };
    const { body } = await owner.patch(`P/issues/${data.key}`, mixed).expect(400, "invalid_reference");
    expect(body.error.details.path).toBe(`/${field}`);
    await owner.post("P/issues", { title: "b", ...mixed }).expect(400, "invalid_reference");
    const items = [
      { title: "c", sprint_id: id },
      { title: "d", [field]: id },
    ];
    const { data: rows } = await owner.post("P/issues/bulk", { items }).expect(207);
    expect(rows).toMatchObject([{ ok: true }, { ok: false, error: { details: { code: "invalid_reference" } } }]);
  }
});

test("an empty string is no reference in any field for an id or a name", async () => {
  const { owner } = await world();
  const { data } = await owner.post("P/issues", { title: "a" }).expect(201);
  const { data: sprint } = await owner.post("P/sprints", { name: "One" }).expect(201);
  const comments = `P/issues/${data.key}/comments`;
  for (const field of ["milestone_id", "sprint_id", "release_id", "status_id", "parent", "epic", "assignee"]) {
    await owner.post("P/issues", { title: "b", [field]: "" }).expect(400);
    await owner.patch(`P/issues/${data.key}`, { [field]: "" }).expect(400);
  }
  await owner.post(`P/issues/${data.key}/transition`, { status_id: "" }).expect(400);
  await owner.post(comments, { body_md: "c", parent_id: "" }).expect(400);
  await owner.patch("P", { default_status_id: "" }).expect(400);
  await owner.patch("P", { transition_rules: { "": [""] } }).expect(400);
  await owner.post("W/api-keys", { name: "k", kind: "agent", agent_id: "" }).expect(400);
  await owner.patch(`P/sprints/${sprint.id}`, { status: "completed", move_open_issues_to: "" }).expect(400);
});
