import { expect, test } from "vitest";
import { graphAt } from "../../src/domain/automation/workflows/pinned.ts";
import type { Client } from "../support/client.ts";
import { world } from "../support/world.ts";
import { END, edge, START } from "./graphs.ts";

const SIMPLE = { nodes: [START, END], edges: [edge("start", "end")] };
const SHOWN = { assignee_user_id: null, label: null, pos_x: 0, pos_y: 0 };

async function workflow(client: Client, body: Record<string, unknown> = {}) {
  const { data } = await client.post("W/workflows", { name: "Review", ...body }).expect(201);
  return { id: data.id as string, path: `W/workflows/${data.id}`, graph: `W/workflows/${data.id}/graph` };
}

test("each change of a graph adds a version; the same graph again adds none", async () => {
  const { owner, sql } = await world();
  const { id, graph } = await workflow(owner);
  const first = (await owner.put(graph, SIMPLE).expect(200)).data;
  expect(first).toMatchObject({
    version: 2,
    nodes: [
      { ...SHOWN, ...START, config: {} },
      { ...SHOWN, ...END, config: { result: "completed" } },
    ],
    edges: SIMPLE.edges,
  });
  expect((await owner.put(graph, { nodes: first.nodes, edges: first.edges }).expect(200)).data).toEqual(first);
  expect((await owner.put(graph, SIMPLE).expect(200)).data.version).toBe(2);
  const moved = { ...SIMPLE, nodes: [START, { ...END, pos_x: 10 }] };
  expect((await owner.put(graph, { ...moved, if_version: 2 }).expect(200)).data.version).toBe(3);
  const { error } = (await owner.put(graph, { ...SIMPLE, if_version: 2 }).expect(409, "version_conflict")).body;
  expect(error.details.version).toBe(3);
  const versions = await sql("select version from workflow_version where workflow_id = $1 order by version", [id]);
  expect(versions).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
});

test("two who save at the same time from the same version do not overwrite each other", async () => {
  const { owner } = await world();
  const { graph } = await workflow(owner);
  const replies = await Promise.all(
    [1, 2, 3, 4].map((n) => owner.put(graph, { nodes: [START, { ...END, pos_x: n }], edges: [], if_version: 1 })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test("a graph with problems is not saved, and names every problem", async () => {
  const { owner } = await world();
  const { path, graph } = await workflow(owner, SIMPLE);
  const bad = {
    nodes: [START, { id: "a", kind: "person" }, { id: "a", kind: "person" }],
    edges: [edge("start", "a"), edge("a", "a"), edge("a", "ghost")],
  };
  const { body } = await owner.put(graph, bad).expect(400, "graph_invalid");
  expect(body.error.code).toBe("validation");
  expect(body.error.details.errors).toEqual([
    { code: "duplicate_node", message: expect.any(String), node_id: "a", edge_id: null, path: "/nodes/2/id" },
    { code: "self_edge", message: expect.any(String), node_id: "a", edge_id: "a>a", path: "/edges/1" },
    {
      code: "unknown_node",
      message: "There is no node ghost.",
      node_id: null,
      edge_id: "a>ghost",
      path: "/edges/2/target_node_id",
    },
  ]);
  const cycle = { nodes: [START, { id: "a", kind: "person" }], edges: [edge("start", "a"), edge("a", "start")] };
  await owner.put(graph, cycle).expect(400, "graph_invalid");
  const loose = { nodes: [...bad.nodes, { id: "loose", kind: "person" }], edges: bad.edges };
  const { detail, error } = (await owner.put(graph, loose).expect(400, "graph_invalid")).body;
  expect(detail).toBe(
    "The graph has 4 problems. Another node has the id a. An edge must lead to another node. There is no node ghost. And 1 more: see errors.",
  );
  expect(error.details.errors[3]).toMatchObject({ code: "unreachable", node_id: "loose", path: "/nodes/3" });
  const { data } = await owner.get(path).expect(200);
  expect(data).toMatchObject({ version: 1, edges: SIMPLE.edges });

  const before = (await owner.get("W/workflows").expect(200)).data;
  await owner.post("W/workflows", { name: "Bad", ...bad }).expect(400, "graph_invalid");
  expect((await owner.get("W/workflows").expect(200)).data).toEqual(before);
});

test("a graph that is too large is refused", async () => {
  const { owner } = await world();
  const { graph } = await workflow(owner);
  const nodes = [START, ...Array.from({ length: 199 }, (_, n) => ({ id: `n${n}`, kind: "parallel" }))];
  await owner.put(graph, { nodes, edges: [] }).expect(200);
  const { error } = (await owner.put(graph, { nodes: [...nodes, END], edges: [] }).expect(400, "graph_invalid")).body;
  expect(error.details.errors).toEqual([
    { code: "too_large", message: "A workflow has at most 200 nodes.", node_id: null, edge_id: null, path: "/nodes" },
  ]);
  const many = Array.from({ length: 9_000 }, (_, n) => ({ id: `n${n}`, kind: "end" }));
  await owner.put(graph, { nodes: many, edges: [] }).expect(400, "validation_failed");
});

test("each kind of node has its own settings, which come back as they were sent", async () => {
  const { owner } = await world();
  const { path, graph } = await workflow(owner);
  const agent = { title: "Do it", instructions: "Now", timeout_minutes: 5, spend_cap_usd: 2.5 };
  const approval = { approver_role: "admin", required: 2, allow_self: true };
  const nodes = [
    START,
    { id: "agent", kind: "agent", config: agent },
    { id: "person", kind: "person", config: { role: "admin", due_in_hours: 4, assign: false } },
    {
      id: "condition",
      kind: "condition",
      config: { match: "any", rules: [{ field: "priority", op: "is", value: "high" }] },
    },
    { id: "parallel", kind: "parallel", config: { join: "any" } },
    { id: "approval", kind: "approval", config: approval },
    { id: "wait", kind: "wait", config: { event: { type: "comment.created" }, timeout_minutes: 10 } },
    { id: "end", kind: "end", config: { result: "failed", set_status: "done" } },
  ].map((node) => ({ ...node, label: `The ${node.id}`, pos_x: -3, pos_y: 7, assignee_user_id: null }));
  const { data } = await owner.put(graph, { nodes, edges: [] }).expect(200);
  expect(data.nodes).toEqual([
    { ...nodes[0], config: {} },
    { ...nodes[1], config: { ...agent, assign: true } },
    nodes[2],
    nodes[3],
    nodes[4],
    { ...nodes[5], config: { ...approval, on_timeout: "reject" } },
    nodes[6],
    nodes[7],
  ]);
  expect((await owner.get(path).expect(200)).data.nodes).toEqual(data.nodes);
  for (const [node, code, at] of [
    [{ id: "x", kind: "start", config: { join: "all" } }, "unknown_field", "/nodes/0/config/join"],
    [{ id: "x", kind: "wait", config: { minuets: 3 } }, "unknown_field", "/nodes/0/config/minuets"],
    [{ id: "x", kind: "wait", config: { minutes: 0 } }, "validation_failed", "/nodes/0/config/minutes"],
    [{ id: "x", kind: "approval", config: { required: 11 } }, "validation_failed", "/nodes/0/config/required"],
    [{ id: "x", kind: "wait", config: { until_field: "title" } }, "validation_failed", "/nodes/0/config/until_field"],
    [{ id: "x", kind: "agent", assignee_user_id: "Ada" }, "validation_failed", "/nodes/0/assignee_user_id"],
    [{ id: "x", kind: "robot" }, "validation_failed", "/nodes/0/kind"],
    [{ id: "x" }, "validation_failed", "/nodes/0/kind"],
    [{ id: "", kind: "end" }, "validation_failed", "/nodes/0/id"],
    [{ id: "x".repeat(65), kind: "end" }, "validation_failed", "/nodes/0/id"],
    [
      { id: "x", kind: "condition", config: { match: "all", rules: [{ field: "moon", op: "is", value: "full" }] } },
      "validation_failed",
      "/nodes/0/config/rules/0/field",
    ],
  ] as const) {
    const { body } = await owner.put(graph, { nodes: [node], edges: [] }).expect(400, code);
    expect(body.error.details.errors[0].path, JSON.stringify(node)).toBe(at);
  }
});

test("any text is a good id of a node", async () => {
  const { owner, app } = await world();
  const ids = ["__proto__", "constructor", "a b", "🚀", "ｅ́", '"<>&', "toString", " "];
  const nodes = [START, ...ids.map((id) => ({ id, kind: "parallel" })), END];
  const chain = nodes.slice(1).map((node, n) => edge(nodes[n]!.id, node.id));
  const { id, path } = await workflow(owner, { nodes, edges: chain });
  const { data } = await owner.get(path).expect(200);
  expect(data.nodes.map((node: { id: string }) => node.id)).toEqual(nodes.map((node) => node.id));
  expect(data).toMatchObject({ valid: true, edges: chain });
  const pinned = await graphAt(app.resources.database, id, 1);
  expect(pinned.order.map((node) => node.id)).toEqual(nodes.map((node) => node.id));
  expect(pinned.nodes.get("__proto__")).toMatchObject({ kind: "parallel", config: { join: "all" }, join: "all" });
});

test("runs get the graph of their version, however often it changes", async () => {
  const { owner, app } = await world();
  const { id, graph } = await workflow(owner, SIMPLE);
  await owner.put(graph, { nodes: [START, { ...END, label: "Over" }], edges: SIMPLE.edges }).expect(200);
  const { database } = app.resources;
  const [first, second] = [await graphAt(database, id, 1), await graphAt(database, id, 2)];
  expect(first.nodes.get("end")).toMatchObject({ label: null, config: { result: "completed" } });
  expect(second.nodes.get("end")).toMatchObject({ label: "Over" });
  expect(await graphAt(database, id, 1)).toBe(first);
});
