import { describe, expect, test } from "vitest";
import type { Client } from "../support/client.ts";
import { drain } from "../support/jobs.ts";
import { type World, world } from "../support/world.ts";
import { issue, start, workflow } from "./flows.ts";

/** What readers see of workflows, their runs and their events: no secrets of others, and nothing of hidden projects. */

const URL = "https://hooks.example.com/T0/secret";

/** A workflow of the project whose actions name a hidden project and an address. */
async function flowNaming(here: World, hidden: World, key: string) {
  const actions = [
    { type: "send_webhook", url: URL },
    { type: "create_issue", project: hidden.project.key, issue: { title: "Follow up" } },
    { type: "link_issue", kind: "relates_to", target_key: key },
    { type: "set_field", field: "parent", value: key },
    { type: "add_comment", comment: "Done …" },
  ];
  const rules = [{ field: "project", op: "is_not_one_of", value: [hidden.project.key] }];
  const nodes = [
    { id: "start", kind: "start" },
    { id: "if", kind: "condition", config: { match: "all", rules } },
    { id: "act", kind: "action", config: { actions } },
    { id: "end", kind: "end" },
  ];
  const edges = [
    { id: "e1", source_node_id: "start", target_node_id: "if" },
    { id: "e2", source_node_id: "if", target_node_id: "act", branch_label: "true" },
    { id: "e3", source_node_id: "if", target_node_id: "end", branch_label: "false" },
    { id: "e4", source_node_id: "act", target_node_id: "end" },
  ];
  const body = { name: "Flow", project_id: here.project.key, nodes, edges };
  const { data } = await here.owner.post("W/workflows", body).expect(201);
  return data.id as string;
}

// biome-ignore lint/suspicious/noExplicitAny: as JSON
type Graph = { nodes: any[]; edges: unknown[] };
const graphOf = async (client: Client, id: string): Promise<Graph> =>
  (await client.get(`W/workflows/${id}`).expect(200)).data;
const configOf = ({ nodes }: Graph, id: string) => nodes.find((node) => node.id === id).config;

describe("the graph of a workflow", () => {
  test("shows addresses to those who may change it, and hidden projects to nobody", async () => {
    const here = await world();
    const hidden = await here.hidden("SECRET");
    const { key } = await issue(hidden);
    const id = await flowNaming(here, hidden, key);
    const whole = await graphOf(here.owner, id);
    expect(JSON.stringify(whole)).toContain(URL);
    const projectIds = [here.project.id];
    const readers: [Client, string][] = [
      [await here.as({ role: "member" }), "https://hooks.example.com/…"],
      [await here.as({ role: "viewer" }), "https://hooks.example.com/…"],
      [await here.as({ role: "guest", projectRole: "member" }), "https://hooks.example.com/…"],
      [await here.keyFor(here.owner, { projectIds, scopes: ["read"] }), "https://hooks.example.com/…"],
      [await here.keyFor(here.owner, { projectIds }), URL],
    ];
    for (const [client, url] of readers) {
      const seen = await graphOf(client, id);
      expect(JSON.stringify(seen)).not.toContain("SECRET");
      expect(configOf(seen, "act").actions).toMatchObject([
        { url },
        { project: "…", issue: { title: "Follow up" } },
        { target_key: "…" },
        { value: "…" },
        { comment: "Done …" },
      ]);
      expect(configOf(seen, "if").rules[0].value).toEqual(["…"]);
      const picture = await client.get(`W/workflows/${id}`, { headers: { accept: "image/svg+xml" } }).expect(200);
      expect(picture.text).not.toContain("SECRET");
    }
    const reader = await here.keyFor(here.owner, { scopes: ["read"] });
    expect(configOf(await graphOf(reader, id), "act").actions).toMatchObject([
      { url: "https://hooks.example.com/…" },
      { project: "SECRET" },
      { target_key: key },
      { value: key },
      {},
    ]);
  });

  test("comes back from a reader without losing or showing what was hidden", async () => {
    const here = await world();
    const hidden = await here.hidden("SECRET");
    const { key } = await issue(hidden);
    const id = await flowNaming(here, hidden, key);
    const whole = await graphOf(here.owner, id);
    const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
    const put = (client: Client, { nodes, edges }: Graph) => client.put(`W/workflows/${id}/graph`, { nodes, edges });
    const seen = await graphOf(limited, id);
    expect((await put(limited, seen).expect(200)).data).toEqual(seen);
    expect((await graphOf(here.owner, id)).nodes).toEqual(whole.nodes);

    // Another caller than the one who read it sends it back, in another order.
    const read = await graphOf(await here.as({ role: "member" }), id);
    const nodes = read.nodes.map((node) => ({ ...node, label: node.id })).toReversed();
    const { data } = await put(here.owner, { ...read, nodes }).expect(200);
    expect(configOf(data, "act")).toEqual(configOf(whole, "act"));
    expect(configOf(data, "if")).toEqual(configOf(whole, "if"));

    const changed = (change: (actions: Record<string, unknown>[]) => unknown[]) => ({
      ...seen,
      nodes: seen.nodes.map((node) =>
        node.id === "act" ? { ...node, config: { actions: change(structuredClone(node.config.actions)) } } : node,
      ),
    });
    const refused = [
      changed((actions) => actions.toReversed()),
      changed(([, ...others]) => others),
      changed(([, ...others]) => [{ type: "send_webhook", url: "https://evil.example.com/…" }, ...others]),
      changed(([first, , ...others]) => [first, { type: "link_issue", kind: "blocks", target_key: "…" }, ...others]),
    ];
    for (const graph of refused) await put(limited, graph).expect(400, "invalid_reference");
    await limited
      .post("W/workflows", { name: "Copy", project_id: here.project.key, ...graphPart(seen) })
      .expect(400, "invalid_reference");
    expect(configOf(await graphOf(here.owner, id), "act")).toEqual(configOf(whole, "act"));
  });
});

const graphPart = ({ nodes, edges }: Graph) => ({ nodes, edges });

test("a run, its list, its picture and its events do not name issues of hidden projects", async () => {
  const here = await world();
  const hidden = await here.hidden("SECRET");
  const secret = await issue(hidden);
  const actions = [
    { type: "create_issue", project: "SECRET", issue: { title: "Follow up" } },
    { type: "link_issue", kind: "relates_to", target_key: secret.key, target: "self" },
    { type: "set_priority", priority: "high", target: "linked:relates_to" },
  ];
  const bad = [{ type: "create_issue", project: "SECRETX", issue: { title: "Follow up" } }];
  const flow = await workflow(
    here,
    [
      { id: "act", kind: "action", config: { actions } },
      { id: "bad", kind: "action", config: { actions: bad } },
    ],
    [
      ["start", "act"],
      ["act", "bad"],
    ],
  );
  const run = await start(here, (await issue(here)).key, flow);
  await drain();
  const all = (await here.owner.get(`W/workflow-runs/${run.id}`).expect(200)).data;
  const didOf = (one: typeof all, id: string) => one.nodes.find((node: { node_id: string }) => node.node_id === id);
  expect(didOf(all, "act").actions_applied).toMatchObject([
    { detail: expect.stringMatching(/^Created SECRET-/) },
    { detail: `Linked to ${secret.key}.` },
    { issue_id: secret.id, detail: "Priority: high." },
  ]);
  expect(didOf(all, "bad").error).toContain("SECRETX");
  expect(all.error).toBe("bad failed: invalid_reference.");

  const projectIds = [here.project.id];
  const readers = [await here.as({ role: "member" }), await here.keyFor(here.owner, { projectIds })];
  for (const client of readers) {
    const one = await client.get(`W/workflow-runs/${run.id}`).expect(200);
    expect(didOf(one.data, "act").actions_applied).toEqual([
      { type: "create_issue", ok: true, detail: null, issue_id: null },
      { type: "link_issue", ok: true, detail: null, issue_id: run.issue_id },
      { type: "set_priority", ok: true, detail: null, issue_id: null },
    ]);
    expect(didOf(one.data, "bad")).toMatchObject({ error: null, outcome: "failure" });
    const picture = await client.get(`W/workflow-runs/${run.id}`, { headers: { accept: "image/svg+xml" } }).expect(200);
    const list = client === readers[0] ? await client.get(`W/workflows/${flow}/runs`).expect(200) : one;
    for (const { text } of [one, picture, list]) {
      expect(text).not.toContain("SECRET");
      expect(text).not.toContain(secret.id);
    }
  }
  const events = await here.sql<{ data: unknown }>(
    "select data from event where workspace_id = $1 and type like 'workflow_run.%'",
    [here.workspace.id],
  );
  expect(events.length).toBeGreaterThan(1);
  expect(JSON.stringify(events)).not.toContain("SECRET");
  expect(JSON.stringify(events)).not.toContain(secret.id);

  const own = await start(hidden, secret.key, flow);
  for (const client of readers) await client.get(`W/workflow-runs/${own.id}`).expect(404);
});

test("events of automations have neither secrets of addresses nor names of other projects", async () => {
  const here = await world();
  const hidden = await here.hidden("SECRET");
  const actions = (url: string) => [
    { type: "send_webhook", url },
    { type: "create_issue", project: "SECRET", issue: { title: "Follow up" } },
  ];
  const body = { name: "Rule", trigger: "issue.created", project_id: here.project.key, actions: actions(URL) };
  const { data: rule } = await here.owner.post("W/automations", body).expect(201);
  expect(rule.actions).toEqual(expect.arrayContaining([{ type: "send_webhook", url: URL }]));
  await here.owner.patch(`W/automations/${rule.id}`, { actions: actions(`${URL}2`) }).expect(200);
  await here.owner.delete(`W/automations/${rule.id}`).expect(200);
  const events = await here.sql<{ type: string; changed: string[] | null }>(
    `select type, data, previous, changed from event where workspace_id = $1 and type like 'automation.%' order by id`,
    [here.workspace.id],
  );
  expect(events.map(({ type }) => type)).toEqual(["automation.created", "automation.updated", "automation.deleted"]);
  expect(events[1]!.changed).toEqual(["actions"]);
  expect(JSON.stringify(events)).toContain("https://hooks.example.com/…");
  for (const secret of ["T0/", "SECRET", hidden.project.id]) expect(JSON.stringify(events)).not.toContain(secret);
});

test("a dry run names no hidden project or issue to a limited key, and the outcomes do not either", async () => {
  const here = await world();
  const hidden = await here.hidden("SECRET");
  const secret = await issue(hidden);
  const near = await issue(here);
  const actions = [
    { type: "create_issue", project: "SECRET", issue: { title: "Follow up" } },
    { type: "link_issue", kind: "relates_to", target_key: secret.key },
    { type: "set_field", field: "parent", value: secret.key },
    { type: "set_priority", priority: "high" },
  ];
  const body = { name: "Rule", trigger: "issue.created", project_id: here.project.key, on_error: "continue", actions };
  const { data: rule } = await here.owner.post("W/automations", body).expect(201);
  const rules = [{ field: "parent", op: "is", value: secret.id }];
  const limited = await here.keyFor(here.owner, { projectIds: [here.project.id] });
  const dryRun = async (client: Client) =>
    (await client.post(`W/automations/${rule.id}/dry-run`, { issue_key: near.key }).expect(200)).data;
  const seen = await dryRun(limited);
  for (const name of ["SECRET", secret.id]) expect(JSON.stringify(seen)).not.toContain(name);
  expect(seen.actions).toMatchObject([
    { would: 'Create the issue "Follow up" in …', detail: null, action: { project: "…" } },
    { would: "Link to … (relates_to)", detail: null, action: { target_key: "…" } },
    { detail: null, action: { value: "…" } },
    { ok: true, detail: expect.any(String) },
  ]);
  expect(JSON.stringify(await dryRun(here.owner))).toContain(secret.key);

  await here.sql("update automation set conditions = $2 where id = $1", [
    rule.id,
    JSON.stringify({ match: "all", rules: [{ match: "all", rules }] }),
  ]);
  const failed = { path: "/conditions/rules/0/rules/0", message: "parent is empty. Wanted: is …." };
  expect((await dryRun(limited)).failed).toEqual(failed);
  expect((await dryRun(here.owner)).failed.message).toContain(secret.id);
});
