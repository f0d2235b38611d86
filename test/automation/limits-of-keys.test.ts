import { beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../src/domain/access/identity/scopes.ts";
import { ACTIONS } from "../../src/domain/automation/actions/catalogue.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { failTool, useTool } from "../support/tools.ts";
import { type World, world } from "../support/world.ts";
import { issue, nodeOf, type Run, workflow } from "./flows.ts";
import { END, edge, START } from "./graphs.ts";
import { addRule, runsOf, stateOf } from "./rules-by-sql.ts";

/** What automations and workflows do later keeps the limits of the key that set them up. */

const LINKED = ["relates_to", "blocks", "is_blocked_by", "duplicates", "is_duplicated_by"].map(
  (kind) => `linked:${kind}`,
);
const FAR = ["parent", "children", ...LINKED];

/** Actions on issues, with the values that a project's admin would send. */
const ON_ISSUES: object[] = [
  { type: "set_status", status: "done" },
  { type: "set_priority", priority: "critical" },
  { type: "assign_to", assign_target: "triggering_user" },
  { type: "unassign" },
  { type: "move_to_sprint", sprint_target: "backlog" },
  { type: "set_field", field: "title", value: "Taken" },
  { type: "add_comment", comment: "Taken" },
  { type: "archive_issue" },
];

const limitedTo = (here: World, more: { scopes?: string[] } = {}) =>
  here.keyFor(here.owner, { projectIds: [here.project.id], ...more });

/** An issue of WEB, whose relatives of every kind are in a project that the limited key does not see. */
async function family(here: World, hidden: World) {
  const near = await issue(here);
  const far: string[] = [];
  const relative = async () => {
    const made = await issue(hidden, { assignee: here.owner.userId });
    far.push(made.id);
    return made;
  };
  for (const kind of ["relates_to", "blocks", "duplicates"]) {
    for (const direction of ["out", "in"]) {
      const { key } = await relative();
      await here.owner.post(`P/issues/${near.key}/links`, { kind, target_key: key, direction }).expect(201);
    }
  }
  const [parent, child] = [await relative(), await relative()];
  await here.sql("update issue set parent_id = $2 where id = $1", [near.id, parent.id]);
  await here.sql("update issue set parent_id = $2 where id = $1", [child.id, near.id]);
  return { near, far };
}

/** Everything that is stored about a project. */
const stored = ({ sql, project }: World) =>
  sql(
    `select (select json_agg(i order by i.id) from issue i where i.project_id = $1) as issues,
            (select count(*) from comment c join issue i on i.id = c.issue_id where i.project_id = $1) as comments,
            (select count(*) from event where project_id = $1) as events,
            (select count(*) from workflow_run where project_id = $1) as runs`,
    [project.id],
  );

const ruleOf = (client: Client, body: object) =>
  client.post("W/automations", { name: "Rule", trigger: "issue.priority_changed", project_id: "WEB", ...body });

const actionGraph = (actions: object[]) => ({
  nodes: [START, { id: "act", kind: "action", config: { actions, retries: 0 } }, END],
  edges: [edge("start", "act"), edge("act", "end")],
});

async function enabledBy(client: Client, actions: object[], more: object = {}) {
  const { data } = await client
    .post("W/workflows", { name: "Flow", project_id: "WEB", ...actionGraph(actions), ...more })
    .expect(201);
  await client.patch(`W/workflows/${data.id}`, { status: "enabled" }).expect(200);
  return data.id as string;
}

const startOn = async (client: Client, key: string, workflow_id: string): Promise<Run> =>
  (await client.post(`P/issues/${key}/workflow`, { workflow_id }).expect(201)).data.run;

const runNow = async (client: Client, id: string): Promise<Run> =>
  (await client.get(`W/workflow-runs/${id}`).expect(200)).data;

/** What an action would change in the hidden project that it names. */
async function namingHidden(here: World, hidden: World): Promise<object[]> {
  const secret = await issue(hidden);
  const { data: channel } = await hidden.owner
    .post("W/chat/channels", { name: `of-hidden-${newId().slice(-6)}`, project_id: hidden.project.id })
    .expect(201);
  const { data: hook } = await here.owner
    .post("W/webhooks", { url: "https://receiver.example/all", event_types: ["issue.created"] })
    .expect(201);
  return [
    { type: "create_issue", project: hidden.project.key, issue: { title: "Taken" } },
    { type: "link_issue", kind: "relates_to", target_key: secret.key },
    { type: "set_field", field: "parent", value: secret.key },
    { type: "post_message", channel_id: channel.id, body_md: "Taken" },
    { type: "send_webhook", webhook_id: hook.id },
  ];
}

describe("a key limited to projects", () => {
  let here: World;
  let hidden: World;
  let limited: Client;
  let naming: object[];
  beforeAll(async () => {
    here = await world();
    hidden = await here.hidden();
    limited = await limitedTo(here);
    naming = await namingHidden(here, hidden);
  });

  test("changes nothing of other projects through an automation, whatever the action and its target", async () => {
    const { near } = await family(here, hidden);
    const flow = await workflow(here, [{ id: "end", kind: "end" }], [["start", "end"]]);
    const actions = [...ON_ISSUES, { type: "start_workflow", workflow_id: flow }];
    const rules: string[] = [];
    for (const target of FAR) {
      const { data } = await ruleOf(limited, { actions: actions.map((one) => ({ ...one, target })) }).expect(201);
      rules.push(data.id);
    }
    const before = await stored(hidden);
    await here.owner.patch(`P/issues/${near.key}`, { priority: "high" }).expect(200);
    await drain();
    for (const id of rules) {
      const [run] = (await limited.get(`W/automations/${id}/runs`).expect(200)).data;
      expect(run.actions_applied).toHaveLength(actions.length);
      for (const { detail } of run.actions_applied) expect(detail).toBe("There is no such issue that this may change.");
    }
    expect(await stored(hidden)).toEqual(before);
    for (const id of rules) await limited.delete(`W/automations/${id}`).expect(200);
  });

  test("changes nothing of other projects through a workflow, its own or one of others", async () => {
    const { near } = await family(here, hidden);
    const before = await stored(hidden);
    const actions = LINKED.flatMap((target) => [
      { type: "archive_issue", target },
      { type: "add_comment", comment: "Taken", target },
    ]);
    const ofOthers = await workflow(
      here,
      [
        { id: "act", kind: "action", config: { actions, retries: 0 } },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "act"],
        ["act", "end"],
      ],
    );
    for (const flow of [await enabledBy(limited, actions), ofOthers]) {
      const { id } = await startOn(limited, near.key, flow);
      await drain();
      const run = await runNow(limited, id);
      expect(run.status).toBe("completed");
      for (const { detail } of nodeOf(run, "act").actions_applied) {
        expect(detail).toBe("There is no such issue that this may change.");
      }
    }
    expect(await stored(hidden)).toEqual(before);
  });

  test("changes nothing of other projects through a rule that starts a workflow, whichever of the two it set up", async () => {
    const { near } = await family(here, hidden);
    const other = await family(here, hidden);
    const before = await stored(hidden);
    const archive = LINKED.map((target) => ({ type: "archive_issue", target }));
    const own = await enabledBy(limited, archive);
    const ofOthers = await enabledBy(here.owner, archive);
    const starts = (workflow_id: string) => [{ type: "start_workflow", workflow_id, target: "self" }];
    const wide = await addRule(here, { trigger: "issue.priority_changed", actions: starts(own) });
    await here.owner.patch(`P/issues/${near.key}`, { priority: "high" }).expect(200);
    await drain();
    expect(await runsOf(here, wide)).toMatchObject([{ status: "ok" }]);
    await here.owner.patch(`W/automations/${wide}`, { enabled: false }).expect(200);
    const { data: rule } = await ruleOf(limited, { actions: starts(ofOthers) }).expect(201);
    await here.owner.patch(`P/issues/${other.near.key}`, { priority: "high" }).expect(200);
    await drain();
    for (const [flow, { key }] of [
      [own, near],
      [ofOthers, other.near],
    ] as const) {
      const { data } = await here.owner.get(`W/workflows/${flow}/runs`).expect(200);
      expect(data).toMatchObject([{ issue_key: key, status: "completed" }]);
      for (const { detail } of nodeOf(await runNow(here.owner, data[0].id), "act").actions_applied) {
        expect(detail).toBe("There is no such issue that this may change.");
      }
    }
    expect(await stored(hidden)).toEqual(before);
    await limited.delete(`W/automations/${rule.id}`).expect(200);
  });

  test("has the same limits when it sets up by tools", async () => {
    const body = { name: "Rule", trigger: "issue.created", actions: [{ type: "unassign", target: "self" }] };
    const call = (more: object) => ({ operation: "createAutomation", body: { ...body, ...more } });
    const refused = await failTool(limited, "call_operation", call({ project_id: null }));
    expect(refused).toMatchObject({ code: "key_project_limit" });
    const weak = await here.keyFor(here.owner, { scopes: ["automations:read", "automations:write", "issues:read"] });
    expect(await failTool(weak, "call_operation", call({}))).toMatchObject({
      code: "insufficient_scope",
      details: { required_scope: "issues:write" },
    });
    const { data } = await useTool(limited, "call_operation", call({ project_id: "WEB" }));
    const [row] = await here.sql<{ project_ids: string[] }>(
      `select array_to_json(k.project_ids) as project_ids
       from automation a join api_key k on k.id = a.key_id where a.id = $1`,
      [data.id],
    );
    expect(row).toEqual({ project_ids: [here.project.id] });
    await limited.delete(`W/automations/${data.id}`).expect(200);
  });

  test("cannot name an object of another project, neither when it sets up nor later", async () => {
    const before = await stored(hidden);
    const harmless = [{ type: "add_comment", comment: "Hello" }];
    const { data: rule } = await ruleOf(limited, { actions: harmless }).expect(201);
    const near = await issue(here);
    const runs: string[] = [];
    for (const action of naming) {
      const flow = await enabledBy(limited, harmless);
      await ruleOf(limited, { actions: [action] }).expect(400, "invalid_reference");
      await limited.patch(`W/automations/${rule.id}`, { actions: [action] }).expect(400, "invalid_reference");
      await limited.put(`W/workflows/${flow}/graph`, actionGraph([action])).expect(400, "graph_invalid");
      // The graph names the object all the same, as if it had moved out of the key's projects since.
      await here.sql(
        "update workflow_version set nodes = jsonb_set(nodes, '{1,config,actions}', $2) where workflow_id = $1",
        [flow, JSON.stringify([action])],
      );
      runs.push((await startOn(limited, (await issue(here)).key, flow)).id);
    }
    await here.sql("update automation set actions = $2, on_error = 'continue' where id = $1", [
      rule.id,
      JSON.stringify(
        naming.map((action) => ("kind" in action || "field" in action ? { ...action, target: "self" } : action)),
      ),
    ]);
    await here.owner.patch(`P/issues/${near.key}`, { priority: "high" }).expect(200);
    await drain();
    for (const id of runs) {
      // A limited key is not shown details that may name other objects.
      const [applied] = nodeOf(await runNow(here.owner, id), "act").actions_applied;
      expect(applied).toMatchObject({ ok: false, detail: expect.stringMatching(/^invalid_reference: /) });
    }
    const [ran] = await runsOf(here, rule.id);
    expect(ran!.actions_applied).toHaveLength(naming.length);
    for (const { ok } of ran!.actions_applied!) expect(ok).toBe(false);
    expect(await stored(hidden)).toEqual(before);
  });

  test("sets up nothing for the whole workspace, and sees nothing that is for it", async () => {
    const actions = [{ type: "add_comment", comment: "Hello" }];
    await ruleOf(limited, { actions, project_id: null }).expect(403, "key_project_limit");
    await ruleOf(limited, { actions, project_id: "HID" }).expect(400, "invalid_reference");
    const { data: rule } = await ruleOf(limited, { actions }).expect(201);
    await limited.patch(`W/automations/${rule.id}`, { project_id: null }).expect(403, "key_project_limit");
    const other = await addRule(here, { trigger: "sprint.started", actions });
    await limited.get(`W/automations/${other}`).expect(404);
    await limited.post(`W/automations/${other}/dry-run`, {}).expect(404);
    const seen: { project_id: string }[] = (await limited.get("W/automations").expect(200)).data;
    expect(new Set(seen.map(({ project_id }) => project_id))).toEqual(new Set([here.project.id]));
    await limited.delete(`W/automations/${rule.id}`).expect(200);
  });

  test("takes over what it changes or enables, so that it never acts with wider limits", async () => {
    const { near } = await family(here, hidden);
    const before = await stored(hidden);
    const archive = [{ type: "archive_issue", target: "linked:blocks" }];
    const wide = { trigger: "issue.priority_changed", actions: archive, project_id: here.project.id };
    const [edited, enabled, disabled] = [
      await addRule(here, wide),
      await addRule(here, wide),
      await addRule(here, wide),
    ];
    await limited.patch(`W/automations/${edited}`, { allow_chaining: true }).expect(200);
    await limited.patch(`W/automations/${enabled}`, { enabled: false }).expect(200);
    await limited.patch(`W/automations/${enabled}`, { enabled: true }).expect(200);
    await limited.patch(`W/automations/${disabled}`, { enabled: false }).expect(200);
    const dry = await limited.post(`W/automations/${disabled}/dry-run`, { issue_key: near.key }).expect(200);
    expect(dry.data.actions).toMatchObject([{ detail: "There is no such issue that this may change." }]);

    const draft = await workflow(
      here,
      [
        { id: "act", kind: "action", config: { actions: archive } },
        { id: "end", kind: "end" },
      ],
      [
        ["start", "act"],
        ["act", "end"],
      ],
      { status: "draft", project_id: here.project.id },
    );
    await limited.patch(`W/workflows/${draft}`, { status: "enabled" }).expect(200);
    await here.owner.patch(`P/issues/${near.key}`, { priority: "high" }).expect(200);
    await startOn(here.owner, near.key, draft);
    await drain();
    expect(await stored(hidden)).toEqual(before);
    expect(await runsOf(here, edited)).toMatchObject([{ status: "ok" }]);
    expect(await runsOf(here, enabled)).toMatchObject([{ status: "ok" }]);
    for (const id of [edited, enabled]) await limited.delete(`W/automations/${id}`).expect(200);

    // A rename leaves the limits as they are, and so does a key that reaches at least as far.
    await limited.patch(`W/automations/${disabled}`, { name: "Renamed" }).expect(200);
    await here.owner.patch(`W/automations/${disabled}`, { enabled: true }).expect(200);
    expect(await here.sql("select key_id from automation where id = $1", [disabled])).toEqual([{ key_id: null }]);
  });
});

describe("a credential that has ended", () => {
  const COMMENT = [{ type: "add_comment", comment: "Seen", target: "self" }];
  const end = {
    revoked: "update api_key set revoked_at = now() where id = $1",
    expired: "update api_key set expires_at = now() - interval '1 second' where id = $1",
    deleted: "delete from api_key where id = $1",
  };
  test.each(Object.entries(end))("stops what it set up: %s", async (_, text) => {
    const here = await world();
    const key = await here.keyFor(here.owner, { scopes: ["admin"] });
    const { data: rule } = await ruleOf(key, { actions: COMMENT }).expect(201);
    const flow = await enabledBy(key, COMMENT);
    const waiting = await enabledBy(key, [], {
      nodes: [START, { id: "wait", kind: "person" }, ...actionGraph(COMMENT).nodes.slice(1)],
      edges: [edge("start", "wait"), edge("wait", "act"), edge("act", "end")],
    });
    const ofPerson = await addRule(here, { trigger: "issue.priority_changed", actions: COMMENT });
    const [one, other] = [await issue(here), await issue(here)];
    const { id: open } = await startOn(here.owner, other.key, waiting);
    const [row] = await here.sql<{ key_id: string }>("select key_id from automation where id = $1", [rule.id]);
    await here.sql(text, [row!.key_id]);

    // It shows at once, before anything would have happened.
    const ended = { disabled_reason: "credential_ended" };
    for (const [path, state] of [
      [`W/automations/${rule.id}`, { enabled: false, next_run_at: null }],
      [`W/workflows/${flow}`, { status: "draft" }],
    ] as const) {
      const { data } = await here.owner.get(path).expect(200);
      const { data: list } = await here.owner.get(path.slice(0, path.lastIndexOf("/"))).expect(200);
      expect([data, list.find(({ id }: { id: string }) => id === data.id)]).toMatchObject([
        { ...state, ...ended },
        { ...state, ...ended },
      ]);
    }

    await here.owner.patch(`P/issues/${one.key}`, { priority: "high" }).expect(200);
    await here.owner.post(`W/workflow-runs/${open}/complete-stage`, { node_id: "wait" }).expect(200);
    const refused = await here.owner.post(`P/issues/${one.key}/workflow`, { workflow_id: flow });
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("workflow_not_enabled");
    await drain();
    expect(await stateOf(here, rule.id)).toMatchObject({ enabled: false, disabled_reason: "credential_ended" });
    expect(await runsOf(here, rule.id)).toMatchObject([{ status: "error", reason: "rights", actions_applied: null }]);
    expect(nodeOf(await runNow(here.owner, open), "act")).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/^credential_ended: The key that set up the workflow/),
    });
    expect(await runsOf(here, ofPerson)).toMatchObject([{ status: "ok" }]);
    const { data: read } = await here.owner.get(`P/issues/${one.key}`).expect(200);
    expect(read.counts.comments).toBe(1);

    // Who enables it again takes it over; a change alone does not enable it.
    for (const [path, body, on] of [
      [`W/automations/${rule.id}`, { name: "Renamed" }, { enabled: true }],
      [`W/workflows/${flow}`, { name: "Renamed" }, { status: "enabled" }],
    ] as const) {
      expect((await here.owner.patch(path, body).expect(200)).data).toMatchObject(ended);
      expect((await here.owner.patch(path, on).expect(200)).data).toMatchObject({ ...on, disabled_reason: null });
    }
    await startOn(here.owner, one.key, flow);
    await here.owner.patch(`P/issues/${other.key}`, { priority: "high" }).expect(200);
    await drain();
    expect(await runsOf(here, rule.id)).toMatchObject([{ status: "error" }, { status: "ok" }]);
  });
});

describe("each action needs the scope that a key would need to do the same", () => {
  /** Of the key that sets up, besides those for the calls. */
  const BASE = ["automations:write", "workflows:write", "api_keys:read"];
  const NEEDED: Record<keyof typeof ACTIONS, readonly string[]> = {
    set_status: ["issues:write"],
    set_priority: ["issues:write"],
    assign_to: ["issues:write"],
    unassign: ["issues:write"],
    add_label: ["issues:write"],
    remove_label: ["issues:write"],
    move_to_sprint: ["issues:write"],
    add_comment: ["comments:write"],
    notify_agent: ["agents:write"],
    set_field: ["issues:write"],
    set_custom_field: ["issues:write"],
    create_issue: ["issues:write"],
    link_issue: ["issues:write"],
    notify_users: ["notifications:write"],
    post_message: ["chat:write"],
    send_webhook: ["webhooks:write", "issues:read"],
    start_workflow: ["workflow.run"],
    archive_issue: ["issues:write"],
  };
  const SENT: Record<keyof typeof ACTIONS, object> = {
    set_status: { status: "done" },
    set_priority: { priority: "high" },
    assign_to: { assign_target: "reporter" },
    unassign: {},
    add_label: { label_id: "bug" },
    remove_label: { label_id: "bug" },
    move_to_sprint: { sprint_target: "active" },
    add_comment: { comment: "Hello" },
    notify_agent: { agent_user_id: newId() },
    set_field: { field: "title", value: "Hello" },
    set_custom_field: { field: "size", value: 1 },
    create_issue: { issue: { title: "Hello" } },
    link_issue: { kind: "relates_to", target_key: "WEB-1" },
    notify_users: { to: "assignee", message: "Hello" },
    post_message: { channel_id: newId(), body_md: "Hello" },
    send_webhook: { url: "https://receiver.example/hook" },
    start_workflow: { workflow_id: newId() },
    archive_issue: {},
  };

  test("when it is set up", async () => {
    const here = await world();
    for (const type of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
      const action = { type, ...SENT[type] };
      const others = NEEDED[type].slice(1);
      const weak = await here.keyFor(here.owner, { scopes: [...BASE, "comments:read", ...others] });
      const lacking = { required_scope: NEEDED[type][0] };
      const rule = await ruleOf(weak, { trigger: "comment.added", actions: [action] }).expect(
        403,
        "insufficient_scope",
      );
      expect(rule.body.error.details, type).toMatchObject(lacking);
      const flow = await weak.post("W/workflows", { name: "Flow", ...actionGraph([action]) });
      expect([flow.status, flow.body.code, flow.body.error.details.required_scope]).toEqual([
        403,
        "insufficient_scope",
        NEEDED[type][0],
      ]);
    }
  });

  test("for triggers, awaited events and ends as well", async () => {
    const here = await world();
    const weak = await here.keyFor(here.owner, { scopes: [...BASE, "issues:write"] });
    const comments = { trigger: "comment.added", actions: [{ type: "unassign" }] };
    expect((await ruleOf(weak, comments).expect(403)).body.error.details.required_scope).toBe("comments:read");
    const reader = await here.keyFor(here.owner, { scopes: [...BASE, "issues:read"] });
    const graph = (node: object) => ({
      nodes: [START, { id: "one", kind: "wait", ...node }, END],
      edges: [edge("start", "one"), edge("one", "end")],
    });
    const waits = graph({ config: { event: { type: "doc.created" } } });
    const moves = {
      ...graph({}),
      nodes: [START, { ...END, config: { set_status: "done" } }],
      edges: [edge("start", "end")],
    };
    const refusedFor = async (body: object) =>
      (await reader.post("W/workflows", { name: "Flow", ...body }).expect(403, "insufficient_scope")).body.error.details
        .required_scope;
    expect([await refusedFor(waits), await refusedFor(moves)]).toEqual(["docs:read", "issues:write"]);
    // A key that may set up nothing of it may not enable it either.
    const draft = await workflow(
      here,
      [{ id: "end", kind: "end", config: { set_status: "done" } }],
      [["start", "end"]],
      {
        status: "draft",
      },
    );
    await reader.patch(`W/workflows/${draft}`, { status: "enabled" }).expect(403, "insufficient_scope");
    const off = await addRule(here, { trigger: "issue.created", actions: [{ type: "archive_issue", target: "self" }] });
    await here.owner.patch(`W/automations/${off}`, { enabled: false }).expect(200);
    await reader.patch(`W/automations/${off}`, { enabled: true }).expect(403, "insufficient_scope");
  });

  test("when it happens", async () => {
    const here = await world();
    const key = await here.keyFor(here.owner, { scopes: SCOPES.filter((scope) => scope !== "read") as string[] });
    const { data: rule } = await ruleOf(key, { actions: [{ type: "add_comment", comment: "Seen" }] }).expect(201);
    const flow = await enabledBy(key, [{ type: "archive_issue" }]);
    const weak = ["automations:write", "workflows:write", "issues:read"];
    await here.sql("update automation set key_scopes = $2 where id = $1", [rule.id, weak]);
    await here.sql("update workflow_version set key_scopes = $2 where workflow_id = $1", [flow, weak]);
    const one = await issue(here);
    await here.owner.patch(`P/issues/${one.key}`, { priority: "high" }).expect(200);
    const { id } = await startOn(here.owner, one.key, flow);
    await drain();
    const detail = expect.stringMatching(
      /^insufficient_scope: The action \w+ needs the scope \w+:write, which the key lacks/,
    );
    expect(await runsOf(here, rule.id)).toMatchObject([{ status: "error", actions_applied: [{ ok: false, detail }] }]);
    expect(nodeOf(await runNow(here.owner, id), "act")).toMatchObject({ actions_applied: [{ ok: false, detail }] });
    const { data: after } = await here.owner.get(`P/issues/${one.key}`).expect(200);
    expect(after).toMatchObject({ archived_at: null, counts: { comments: 0 } });
  });
});

describe("what definitions read needs the scope that reads it", () => {
  const WRITE = ["automations:write", "workflows:write", "chat:write", "workflows:read", "comments:read", "forms:read"];
  const READS: Record<string, string> = {
    "{{issue.title}}": "issues:read",
    "{{ issue.assignee }}": "issues:read",
    "{{\tissue.key}}": "issues:read",
    "{{project.key}}": "projects:read",
  };
  const requiredOf = async (reply: ReturnType<Client["post"]>) =>
    (await reply.expect(403, "insufficient_scope")).body.error.details.required_scope;

  test("in texts and conditions, targets and dry runs, whatever the trigger", async () => {
    const here = await world();
    const { data: channel } = await here.owner.post("W/chat/channels", { name: "reads", kind: "public" }).expect(201);
    const post = (body_md: string) => ({ type: "post_message", channel_id: channel.id, body_md });
    const key = await here.keyFor(here.owner, { scopes: [...WRITE, "agents:read"] });
    for (const trigger of ["workflow_run.finished", "comment.added", "form.submitted", "agent_session.state_changed"]) {
      for (const [text, scope] of Object.entries(READS)) {
        expect(await requiredOf(ruleOf(key, { trigger, actions: [post(text)] }))).toBe(scope);
      }
      const rules = [{ field: "description", op: "contains", value: "secret" }];
      const nested = { match: "all", rules: [{ match: "any", rules }] };
      expect(await requiredOf(ruleOf(key, { trigger, conditions: nested, actions: [post("Hello")] }))).toBe(
        "issues:read",
      );
    }
    for (const [text, scope] of Object.entries(READS)) {
      expect(await requiredOf(key.post("W/workflows", { name: "Flow", ...actionGraph([post(text)]) }))).toBe(scope);
    }
    const commenter = await here.keyFor(here.owner, {
      scopes: ["automations:write", "workflows:read", "comments:write"],
    });
    const comment = { type: "add_comment", comment: "Hello", target: "parent" };
    expect(await requiredOf(ruleOf(commenter, { trigger: "workflow_run.finished", actions: [comment] }))).toBe(
      "issues:read",
    );
    const withComment = { trigger: "workflow_run.finished", actions: [post("{{comment.body}}")] };
    const silent = await here.keyFor(here.owner, { scopes: ["automations:write", "workflows:read", "chat:write"] });
    expect(await requiredOf(ruleOf(silent, withComment))).toBe("comments:read");

    const { data: rule } = await ruleOf(key, { trigger: "comment.added", actions: [post("Hello")] }).expect(201);
    const secret = await issue(here);
    const at = `W/automations/${rule.id}`;
    expect(await requiredOf(key.post(`${at}/dry-run`, { issue_key: secret.key }))).toBe("issues:read");
    await key.post(`${at}/dry-run`, {}).expect(200);
    expect(await requiredOf(key.patch(at, { actions: [post("{{issue.title}}")] }))).toBe("issues:read");
    const actorOnly = { match: "all", rules: [{ field: "actor_kind", op: "is", value: "user" }] };
    await key.patch(at, { conditions: actorOnly }).expect(200);
  });

  test("also when it happens", async () => {
    const here = await world();
    const { data: channel } = await here.owner.post("W/chat/channels", { name: "reads", kind: "public" }).expect(201);
    const post = (body_md: string) => [{ type: "post_message", channel_id: channel.id, body_md }];
    const conditions = { match: "all", rules: [{ field: "title", op: "is_set" }] };
    const trigger = "comment.added";
    const [texts, compares] = [
      (await ruleOf(here.owner, { trigger, actions: post("{{issue.title}}") }).expect(201)).data,
      (await ruleOf(here.owner, { trigger, actions: post("Matched"), conditions }).expect(201)).data,
    ];
    await here.sql("update automation set key_scopes = $2 where id = any($1)", [
      [texts.id, compares.id],
      ["automations:write", "chat:write", "comments:read"],
    ]);
    const { key } = await issue(here);
    await here.owner.post(`P/issues/${key}/comments`, { body_md: "Hello" }).expect(201);
    await drain();
    for (const { id } of [texts, compares]) {
      expect(await runsOf(here, id)).toMatchObject([{ status: "error", reason: "rights" }]);
      expect(await stateOf(here, id)).toMatchObject({ enabled: false, disabled_reason: "rights" });
    }
    expect((await here.owner.get(`W/chat/channels/${channel.id}/messages`).expect(200)).data).toEqual([]);
  });
});

test("a rule of a key posts into no direct message", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const { data: dm } = await here.owner.post("W/chat/dms", { user_ids: [member.userId] }).expect(201);
  const actions = [{ type: "post_message", channel_id: dm.id, body_md: "Hello" }];
  await ruleOf(here.owner, { actions }).expect(400, "invalid_reference");
  const earlier = await addRule(here, { trigger: "issue.created", actions });
  await here.sql(
    `update automation set key_scopes = '{admin}',
       key_id = (select id from api_key where user_id = $2 order by created_at limit 1) where id = $1`,
    [earlier, here.owner.userId],
  );
  await issue(here);
  await drain();
  const detail = expect.stringMatching(/^invalid_reference: /);
  expect(await runsOf(here, earlier)).toMatchObject([{ status: "error", actions_applied: [{ ok: false, detail }] }]);
  expect((await here.owner.get(`W/chat/channels/${dm.id}/messages`).expect(200)).data).toEqual([]);
});

test("each stage needs the scopes of what it does", async () => {
  const here = await world();
  const member = await here.as({ role: "member" });
  const weak = await here.keyFor(here.owner, { scopes: ["workflows:write", "workflows:read"] });
  const graph = (node: object) => ({
    name: "Flow",
    nodes: [START, { id: "one", ...node }, END],
    edges: [edge("start", "one"), edge("one", "end")],
  });
  const person = { kind: "person", assignee_user_id: member.userId };
  for (const [node, scope] of [
    [person, "issues:write"],
    [{ kind: "agent" }, "agents:write"],
    [{ kind: "agent", config: { assign: false } }, "agents:write"],
  ] as const) {
    const { body } = await weak.post("W/workflows", graph(node)).expect(403, "insufficient_scope");
    expect(body.error.details.required_scope).toBe(scope);
  }
  const approval = { kind: "approval", config: { approver_ids: [member.userId] } };
  for (const node of [{ ...person, config: { assign: false } }, { kind: "person" }, approval]) {
    await weak.post("W/workflows", graph(node)).expect(201);
  }
  const waker = await here.keyFor(here.owner, { scopes: ["workflows:write", "agents:write"] });
  await waker.post("W/workflows", graph({ kind: "agent", config: { assign: false } })).expect(201);
  await waker.post("W/workflows", graph({ kind: "agent" })).expect(403, "insufficient_scope");
});
