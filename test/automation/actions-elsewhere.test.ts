import { expect, test } from "vitest";
import { newId } from "../../src/domain/kernel/ids.ts";
import { type World, world } from "../support/world.ts";
import { apply, problems, ROOT, RULE } from "./acting.ts";

/** Actions that create issues, write to channels, notify people and wake agents. */

const issueIn = async (here: World, body: object = {}) =>
  (await here.owner.post("P/issues", { title: "One", ...body }).expect(201)).data;

test("create_issue creates an issue in the project of the run, or in a named one, and links it", async () => {
  const here = await world();
  const origin = await issueIn(here);
  const ops = await here.hidden("OPS");
  const values = { "issue.key": origin.key, "issue.title": "One" };
  const create = (action: object, issueId: string | null = origin.id, more: object = {}) =>
    apply(here, { type: "create_issue", ...action }, issueId, { values, ...more });

  expect(await create({ title: "After {{issue.title}}", parent: "{{issue.key}}", link_kind: "blocks" })).toEqual([
    { result: "done", detail: "Created WEB-2, linked to WEB-1." },
  ]);
  const child = (await here.owner.get("P/issues/WEB-2").expect(200)).data;
  expect(child).toMatchObject({ title: "After One", parent_key: "WEB-1", reporter_id: here.owner.userId });
  const links = (await here.owner.get("P/issues/WEB-2/links").expect(200)).data;
  expect(links).toMatchObject([{ kind: "blocks", direction: "out", target_key: "WEB-1" }]);

  expect(
    await create({ project: "ops", issue: { title: "Elsewhere", type: "bug" }, link_kind: "relates_to" }),
  ).toMatchObject([{ detail: "Created OPS-1, linked to WEB-1." }]);
  expect(await create({ project: ops.project.id, title: "Alone" }, null)).toMatchObject([{ detail: "Created OPS-2." }]);
  await expect(create({ title: "Nowhere" }, null)).rejects.toMatchObject({ code: "invalid_reference" });
  await expect(create({ title: "{{comment.body}}" })).rejects.toMatchObject({ status: 400 });

  const member = await here.as({ role: "member" });
  await expect(create({ project: "OPS", title: "Secret" }, origin.id, { userId: member.userId })).rejects.toMatchObject(
    {
      code: "invalid_reference",
    },
  );
  await here.owner.delete("P").expect(200);
  await expect(create({ title: "Too late" })).rejects.toMatchObject({ status: 400 });
});

test("what create_issue names is looked up when it is saved", async () => {
  const here = await world();
  await issueIn(here);
  const label = (await here.owner.post("P/labels", { name: "Bug", color: "#ffffff" }).expect(201)).data;
  const wrong = {
    assignee: newId(),
    labels: [label.id, "nope"],
    parent: "WEB-99",
    sprint_id: newId(),
    title: "{{no.path}}",
  };
  const at = async (action: object, projectId: string | null) =>
    (await problems(here, [action], projectId)).map(({ path }) => path);
  expect(await at({ type: "create_issue", ...wrong }, here.project.id)).toEqual(
    ["title", "assignee", "labels/1", "parent", "sprint_id"].map((field) => `/actions/0/issue/${field}`),
  );
  expect(
    await at({ type: "create_issue", title: "x", parent: "{{issue.key}}", labels: ["bug"] }, here.project.id),
  ).toEqual([]);
  const subtask = { title: "x", type: "subtask" };
  expect(await at({ type: "create_issue", issue: subtask }, here.project.id)).toEqual(["/actions/0/issue/parent"]);
  expect(await at({ type: "create_issue", issue: { ...subtask, parent: "{{issue.key}}" } }, null)).toEqual([]);
  expect(await at({ type: "create_issue", title: "x", project: "NOPE" }, null)).toEqual(["/actions/0/project"]);
});

test("post_message writes to a channel that the creator sees", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const channel = (await here.owner.post("W/chat/channels", { name: "Team" }).expect(201)).data;
  const secret = (await here.owner.post("W/chat/channels", { name: "Secret", kind: "private" }).expect(201)).data;
  const post = (channel_id: string, userId: string, body_md = "{{issue.key}} is *done*") =>
    apply(here, { type: "post_message", channel_id, body_md }, issue.id, {
      userId,
      values: { "issue.key": issue.key },
    });
  const member = await here.as({ role: "member" });
  expect(await post(channel.id, member.userId)).toMatchObject([{ result: "done" }]);
  const messages = (await here.owner.get(`W/chat/channels/${channel.id}/messages`).expect(200)).data;
  expect(messages).toMatchObject([{ author_id: member.userId, body_md: "WEB-1 is *done*" }]);
  const [event] = await here.sql(
    `select actor_kind, actor_id from event where workspace_id = $1 and type = 'chat.message.created'`,
    [here.workspace.id],
  );
  expect(event).toEqual({ actor_kind: "automation", actor_id: RULE.id });
  await expect(post(secret.id, member.userId)).rejects.toMatchObject({ code: "invalid_reference" });
  await here.owner.patch(`W/chat/channels/${channel.id}`, { archived: true }).expect(200);
  await expect(post(channel.id, member.userId)).rejects.toMatchObject({ code: "archived" });
});

test("notify_users reaches those who see the issue: named people, the assignees, the reporter or the watchers", async () => {
  const here = await world();
  const hidden = await here.hidden();
  const [ada, bob] = [await here.as({ role: "admin" }), await here.as({ role: "member" })];
  const issue = await issueIn(hidden, { assignee: ada.userId });
  const notify = (action: object) =>
    apply(here, { type: "notify_users", message: "Look at {{issue.key}}", ...action }, issue.id, {
      values: { "issue.key": issue.key },
    });
  const told = async (client: World["owner"]) =>
    (await client.get("W/notifications").expect(200)).data.filter(
      ({ kind }: { kind: string }) => kind === "automation",
    );

  expect(await notify({ user_ids: [ada.userId, bob.userId, newId()] })).toEqual([
    { result: "done", detail: "Notified 1." },
  ]);
  expect(await told(ada)).toMatchObject([
    { title: `Triage: ${issue.key}`, body: `Look at ${issue.key}`, actor_name: "Triage", issue_key: issue.key },
  ]);
  expect(await told(bob)).toEqual([]);
  expect(await notify({ to: "assignee" })).toMatchObject([{ detail: "Notified 1." }]);
  expect(await notify({ to: "reporter" })).toMatchObject([{ detail: "Notified 1." }]);
  expect(await notify({ to: "watchers" })).toMatchObject([{ detail: "Notified 2." }]);
  expect([(await told(ada)).length, (await told(here.owner)).length]).toEqual([3, 2]);
  expect(await notify({ user_ids: [bob.userId] })).toMatchObject([{ result: "skipped" }]);
  const alone = await apply(here, { type: "notify_users", user_ids: [bob.userId], message: "Hello" }, null);
  expect(alone).toMatchObject([{ detail: "Notified 1." }]);
  expect(await told(bob)).toMatchObject([{ title: "Triage", body: "Hello", issue_key: null }]);
});

test("notify_agent wakes an agent that has a key and sees the issue, and keeps the chain of causes", async () => {
  const here = await world();
  const issue = await issueIn(here);
  const made = (await here.owner.post("W/api-keys", { name: "Bot", agent_name: "Bot", scopes: ["write"] }).expect(201))
    .data;
  const wake = (agent_user_id: string, issueId: string | null = issue.id) =>
    apply(here, { type: "notify_agent", agent_user_id, prompt: "Triage {{issue.key}}" }, issueId, {
      values: { "issue.key": issue.key },
    });
  expect(await wake(made.agent_id)).toMatchObject([{ result: "done" }]);
  expect(await wake(made.agent_id, null)).toMatchObject([{ result: "done" }]);
  const rows = await here.sql(
    `select agent_id, issue_id, automation_id, prompt, root_event_id, depth from agent_wake where workspace_id = $1 order by id`,
    [here.workspace.id],
  );
  const one = {
    agent_id: made.agent_id,
    automation_id: RULE.id,
    prompt: "Triage WEB-1",
    root_event_id: ROOT,
    depth: 1,
  };
  expect(rows).toEqual([
    { ...one, issue_id: issue.id },
    { ...one, issue_id: null },
  ]);
  const [event] = await here.sql<{ person_id: string; data: { issue: { key: string } } }>(
    `select person_id, data from event where workspace_id = $1 and type = 'agent.wake' order by id`,
    [here.workspace.id],
  );
  expect(event).toMatchObject({ person_id: made.agent_id, data: { prompt: "Triage WEB-1", issue: { key: "WEB-1" } } });

  const secret = await issueIn(await here.hidden());
  await expect(wake(made.agent_id, secret.id)).rejects.toMatchObject({ code: "invalid_reference" });
  await expect(wake(here.owner.userId)).rejects.toMatchObject({ code: "invalid_reference" });
  await here.owner.delete(`W/api-keys/${made.id}`).expect(200);
  await expect(wake(made.agent_id)).rejects.toMatchObject({ message: expect.stringContaining("no key that works") });
  expect(await problems(here, [{ type: "notify_agent", agent_user_id: here.owner.userId }], null)).toMatchObject([
    { path: "/actions/0/agent_user_id", code: "invalid_reference" },
  ]);
});
