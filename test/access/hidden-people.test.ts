import { describe, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { type World, world } from "../support/world.ts";

/** People who cannot see a project: they cannot be newly referenced there, and existing references stay. */

/** A scoped project with those who see it and those who do not. */
async function scoped() {
  const here = await world();
  const { owner, as } = here;
  await owner.patch("P", { scoped: true }).expect(200);
  const seeing = [
    owner,
    await as({ role: "admin" }),
    await as({ role: "member", projectRole: "viewer" }),
    await as({ role: "guest", projectRole: "member" }),
  ];
  const bot = (await owner.post("W/api-keys", { name: "Bot", agent_name: "Bot" }).expect(201)).data.agent_id as string;
  const hidden = [await as({ role: "member" }), await as({ role: "viewer" }), await as({ role: "guest" })];
  return { ...here, seeing, hidden, bot };
}

const takeOff = ({ owner }: World, { userId }: Client) => owner.delete(`P/members/${userId}`).expect(200);
const refused = (path: string) => ({ code: "invalid_reference", error: { details: { path } } });

describe("people who cannot see a project cannot be referenced in it", () => {
  test("as an assignee, reporter or watcher of an issue, by id or e-mail", async () => {
    const { owner, seeing, hidden, bot } = await scoped();
    const { key } = (await owner.post("P/issues", { title: "x" }).expect(201)).data;
    const ids = seeing.map(({ userId }) => userId);
    for (const id of ids) {
      await owner.post("P/issues", { title: "x", assignee: id, reporter: id, watcher_ids: [id] }).expect(201);
      await owner.patch(`P/issues/${key}`, { assignee: id, reporter: id }).expect(200);
    }
    await owner.patch(`P/issues/${key}`, { assignee_ids: ids }).expect(200);
    for (const ref of [bot, ...hidden.flatMap(({ userId, email }) => [userId, email])]) {
      for (const [field, value, path] of [
        ["assignee", ref, "/assignee"],
        ["assignee_ids", [ids[0], ref], "/assignee_ids/1"],
        ["reporter", ref, "/reporter"],
        ["watcher_ids", [ids[0], ref], "/watcher_ids/1"],
      ] as const) {
        const created = await owner.post("P/issues", { title: "x", [field]: value }).expect(400, "invalid_reference");
        expect(created.body).toMatchObject(refused(path));
        if (field === "watcher_ids") continue;
        const changed = await owner.patch(`P/issues/${key}`, { [field]: value }).expect(400, "invalid_reference");
        expect(changed.body).toMatchObject(refused(path));
      }
    }
    await owner.post("P/members", { user_id: bot, role: "member" }).expect(201);
    await owner.patch(`P/issues/${key}`, { assignee: bot }).expect(200);
  });

  test("in an open project, only guests who are not its members are excluded", async () => {
    const { owner, as } = await world();
    const [member, viewer] = [await as({ role: "member" }), await as({ role: "viewer" })];
    const [guest, other] = [await as({ role: "guest", projectRole: "viewer" }), await as({ role: "guest" })];
    for (const { userId } of [member, viewer, guest]) {
      await owner.post("P/issues", { title: "x", assignee: userId }).expect(201);
    }
    await owner.post("P/issues", { title: "x", assignee: other.userId }).expect(400, "invalid_reference");
  });

  test("as the value of a custom field, or its default", async () => {
    const { owner, seeing, hidden } = await scoped();
    const field = { name: "Reviewer", kind: "user" };
    const good = { default_value: seeing[2]!.userId };
    for (const { userId } of hidden) {
      await owner.post("P/custom-field-defs", { ...field, default_value: userId }).expect(400, "invalid_reference");
    }
    const { id } = (await owner.post("P/custom-field-defs", { ...field, ...good }).expect(201)).data;
    const { key } = (await owner.post("P/issues", { title: "x" }).expect(201)).data;
    for (const { userId } of hidden) {
      const custom_fields = { reviewer: userId };
      const created = await owner.post("P/issues", { title: "x", custom_fields }).expect(400, "invalid_reference");
      expect(created.body).toMatchObject(refused("/custom_fields/reviewer"));
      const path = `P/issues/${key}/custom-fields/${id}`;
      await owner.put(path, { value: userId }).expect(400, "invalid_reference");
      await owner.patch(`P/custom-field-defs/${id}`, { default_value: userId }).expect(400, "invalid_reference");
    }
  });

  test("as the lead or default assignee of a project after the change", async () => {
    const { owner, seeing, hidden } = await scoped();
    for (const field of ["lead_user_id", "default_assignee_id"]) {
      for (const { userId } of seeing) await owner.patch("P", { [field]: userId }).expect(200);
      for (const { userId } of hidden) {
        const reply = await owner.patch("P", { [field]: userId }).expect(400, "invalid_reference");
        expect(reply.body).toMatchObject(refused(`/${field}`));
      }
    }
    const [member] = hidden;
    await owner.patch("P", { scoped: false, lead_user_id: member!.userId }).expect(200);
    await owner.patch("P", { scoped: true, default_assignee_id: member!.userId }).expect(400, "invalid_reference");
  });

  test("as the lead of a new project that they are not a member of", async () => {
    const { as } = await world();
    const [maker, admin] = [await as({ role: "member" }), await as({ role: "admin" })];
    const [member, guest] = [await as({ role: "member" }), await as({ role: "guest" })];
    const make = (scoped: boolean, lead: Client, ...named: Client[]) => {
      const member_ids = named.map(({ userId }) => userId);
      return maker.post("W/projects", { name: "x", scoped, lead_user_id: lead.userId, member_ids });
    };
    for (const [scoped, lead] of [
      [true, member],
      [true, guest],
      [false, guest],
    ] as const) {
      const reply = await make(scoped, lead, admin).expect(400, "invalid_reference");
      expect(reply.body).toMatchObject(refused("/lead_user_id"));
      await make(scoped, lead, lead).expect(201);
    }
    for (const lead of [maker, admin]) await make(true, lead).expect(201);
    await make(false, member).expect(201);
  });
});

describe("a person who no longer sees a project", () => {
  test("keeps their references, which can be sent back, but gets no new ones", async () => {
    const here = await world();
    const { owner, as } = here;
    const [anna, ben] = [await as({ role: "member" }), await as({ role: "guest", projectRole: "member" })];
    const field = { name: "Reviewer", kind: "user", default_value: ben.userId };
    const { id: fieldId } = (await owner.post("P/custom-field-defs", field).expect(201)).data;
    const both = { assignee_ids: [anna.userId, ben.userId], reporter: anna.userId };
    const { key } = (await owner.post("P/issues", { title: "x", ...both }).expect(201)).data;
    await owner.patch("P", { lead_user_id: ben.userId, default_assignee_id: ben.userId }).expect(200);
    await owner.patch("P", { scoped: true }).expect(200);
    await takeOff(here, ben);

    const before = (await owner.get(`P/issues/${key}`).expect(200)).data;
    expect(before).toMatchObject({ assignees: both.assignee_ids, custom_fields: { [fieldId]: ben.userId } });
    const { custom_fields } = before;
    const same = await owner.patch(`P/issues/${key}`, { ...both, custom_fields }).expect(200);
    expect(same.data).toEqual(before);
    await owner.patch(`P/issues/${key}`, { assignee: ben.email }).expect(200);
    await owner.patch(`P/issues/${key}`, { assignee: anna.userId }).expect(400, "invalid_reference");
    const { userId: other } = await as({ role: "member" });
    await owner.patch(`P/issues/${key}`, { reporter: other }).expect(400, "invalid_reference");
    await owner.put(`P/issues/${key}/custom-fields/${fieldId}`, { value: ben.userId }).expect(200);
    await owner.patch(`P/custom-field-defs/${fieldId}`, { default_value: ben.userId, name: "Approver" }).expect(200);
    const project = { lead_user_id: ben.userId, default_assignee_id: ben.userId, name: "Renamed" };
    expect((await owner.patch("P", project).expect(200)).data).toMatchObject(project);

    // Defaults are nobody's mistake.
    const fresh = (await owner.post("P/issues", { title: "y" }).expect(201)).data;
    expect(fresh).toMatchObject({ assignees: [], custom_fields: {} });
  });

  test("is found by filters", async () => {
    const here = await world();
    const { owner, as } = here;
    const ben = await as({ role: "guest", projectRole: "member" });
    await owner.post("P/issues", { title: "x", assignee: ben.userId }).expect(201);
    await takeOff(here, ben);
    for (const ref of [ben.userId, ben.email]) {
      expect((await owner.get(`P/issues?assignee=${encodeURIComponent(ref)}`).expect(200)).data).toHaveLength(1);
    }
  });
});

test("a stored value can be sent back after its field became stricter", async () => {
  const { owner } = await world();
  const { id } = (await owner.post("P/custom-field-defs", { name: "Size", kind: "number" }).expect(201)).data;
  const body = { title: "x", type: "bug", custom_fields: { size: 10 } };
  const { key, version } = (await owner.post("P/issues", body).expect(201)).data;
  await owner.patch(`P/custom-field-defs/${id}`, { max: 5, applies_to: ["task"] }).expect(200);
  const same = await owner.patch(`P/issues/${key}`, { custom_fields: { [id]: 10 } }).expect(200);
  expect(same.data).toMatchObject({ version, custom_fields: { [id]: 10 } });
  await owner.patch(`P/issues/${key}`, { custom_fields: { [id]: 9 } }).expect(400);
});

test("an error names the field that was sent, and the position in it", async () => {
  const { owner } = await world();
  const { key } = (await owner.post("P/issues", { title: "x" }).expect(201)).data;
  for (const [body, path] of [
    [{ assignee: "nobody@x.test" }, "/assignee"],
    [{ assignee_ids: ["me", "nobody@x.test"] }, "/assignee_ids/1"],
    [{ labels: ["none such"] }, "/labels/0"],
  ] as const) {
    expect((await owner.post("P/issues", { title: "x", ...body }).expect(400)).body).toMatchObject(refused(path));
    expect((await owner.patch(`P/issues/${key}`, body).expect(400)).body).toMatchObject(refused(path));
  }
  for (const field of ["add_labels", "remove_labels"]) {
    const reply = await owner.patch(`P/issues/${key}`, { [field]: ["none such"] }).expect(400);
    expect(reply.body).toMatchObject(refused(`/${field}/0`));
  }
});

test("a key limited to a project tells an address that it does not see from no address nowhere", async () => {
  const here = await scoped();
  const { owner, project, seeing, hidden } = here;
  const limited = await here.keyFor(owner, { projectIds: [project.id] });
  const [seen, unseen] = [seeing[2]!, hidden[0]!];
  const listed = (await limited.get("W/members?limit=100").expect(200)).data as { email: string }[];
  expect(listed.map(({ email }) => email)).toContain(seen.email);
  expect(listed.map(({ email }) => email)).not.toContain(unseen.email);
  const rule = { name: "Rule", trigger: "issue.created", project_id: project.key, enabled: false };
  const actions = [{ type: "set_priority", priority: "low" }];
  const conditions = (value: string) => ({ match: "all", rules: [{ field: "assignee", op: "is", value }] });
  const { data: field } = await owner.post("P/custom-field-defs", { name: "Buddy", kind: "user" }).expect(201);
  const calls: ((email: string) => ReturnType<Client["post"]>)[] = [
    (email) => limited.post("W/automations", { ...rule, actions, conditions: conditions(email) }),
    (email) =>
      limited.post("W/automations", {
        ...{ ...rule, actions, trigger: "issue.assigned" },
        trigger_config: { user_id: email },
      }),
    (email) =>
      limited.post("W/automations", {
        ...{ ...rule, actions, trigger: "schedule" },
        trigger_config: { cron: "0 5 * * *", filters: { assignee: email } },
      }),
    (email) => limited.get(`P/issues?assignee=${email}`),
    (email) => limited.get(`P/issues?reporter=${email}`),
    (email) => limited.get(`W/issues?assignee=${email}`),
    (email) => limited.get(`P/issues?customFields.buddy=${email}`),
    (email) => limited.post("P/issues", { title: "x", assignee: email }),
    (email) => limited.post("P/issues", { title: "x", custom_fields: { [field.id]: email } }),
    (email) =>
      limited.post("W/chat/channels", { name: `c-${email.length}`, project_id: project.id, member_ids: [email] }),
  ];
  const outcome = async (reply: ReturnType<Client["post"]>, email: string) => {
    const { status, body } = await reply;
    return [status, JSON.stringify({ code: body.code, detail: body.detail }).replaceAll(email, "it")];
  };
  for (const call of calls) {
    const none = "nobody@x.test";
    expect(await outcome(call(unseen.email), unseen.email)).toEqual(await outcome(call(none), none));
    const named = await call(seen.email);
    expect(named.status, JSON.stringify(named.body)).toBeLessThan(300);
  }
  // A workflow names no problem otherwise.
  const graph = (email: string) => ({
    name: "Flow",
    project_id: project.key,
    nodes: [
      { id: "start", kind: "start" },
      { id: "if", kind: "condition", config: conditions(email) },
    ],
    edges: [{ id: "e", source_node_id: "start", target_node_id: "if" }],
  });
  const { data: flow } = await limited.post("W/workflows", graph(unseen.email)).expect(201);
  expect(JSON.stringify((await limited.get(`W/workflows/${flow.id}`).expect(200)).data)).not.toContain(unseen.userId);
  // Adding somebody to the project is how they come to see it.
  await limited.post("P/members", { user_id: unseen.email, role: "member" }).expect(201);
});
