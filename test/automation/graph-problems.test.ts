import { expect, test } from "vitest";
import type { GraphInput, NodeKind } from "../../src/domain/automation/workflows/graph.ts";
import { flowProblems, structureProblems } from "../../src/domain/automation/workflows/problems.ts";

/** A graph written as `start>a a>b:true`. The kind of a node is the letters of its id, if that is a kind. */
function graph(text: string, ids: string[] = []): GraphInput {
  const edges = text.split(" ").flatMap((word, n) => {
    const [, source, target, label] = /^(.+)>([^:]+)(?::(.*))?$/.exec(word) ?? [];
    if (!source || !target) return [];
    return [{ id: `e${n}`, source_node_id: source, target_node_id: target, branch_label: label ?? null }];
  });
  const named = new Set([...edges.flatMap((edge) => [edge.source_node_id, edge.target_node_id]), ...ids]);
  const nodes = [...named].map((id) => ({
    id,
    kind: (id.replace(/\d/, "").match(/^(start|end|condition|parallel)$/)?.[0] ?? "person") as NodeKind,
    config: {},
  }));
  return { nodes, edges };
}

const brief = (problems: { code: string; node_id?: string; edge_id?: string; path: string }[]) =>
  problems.map(({ code, node_id, edge_id, path }) => [code, node_id ?? edge_id, path].join(" "));

test("a cycle names each of its nodes, and no others", () => {
  expect(brief(structureProblems(graph("start>a a>b b>c c>a c>end")))).toEqual([
    "cycle a /nodes/1",
    "cycle b /nodes/2",
    "cycle c /nodes/3",
  ]);
  expect(structureProblems(graph("start>a start>b a>end b>end"))).toEqual([]);
});

test("every problem of structure is named at once", () => {
  const { nodes, edges } = graph("start>a a>a start>a a>end");
  const ghost = { id: "e0", source_node_id: "a", target_node_id: "ghost", branch_label: null };
  const twice = { nodes: [...nodes, nodes[1]!], edges: [...edges, ghost] };
  expect(brief(structureProblems(twice))).toEqual([
    "duplicate_node a /nodes/3/id",
    "duplicate_edge e0 /edges/4/id",
    "self_edge a /edges/1",
    "duplicate_edge e2 /edges/2",
    "unknown_node e0 /edges/4/target_node_id",
  ]);
});

test("a cycle is named beside other problems", () => {
  const { nodes, edges } = graph("start>a a>b b>a b>b a>b b>end");
  const ghost = { id: "ghost", source_node_id: "b", target_node_id: "ghost", branch_label: null };
  const found = brief(structureProblems({ nodes: [...nodes, nodes[3]!], edges: [...edges, ghost] }));
  expect(found).toEqual([
    "duplicate_node end /nodes/4/id",
    "self_edge b /edges/3",
    "duplicate_edge e4 /edges/4",
    "unknown_node ghost /edges/6/target_node_id",
    "cycle a /nodes/1",
    "cycle b /nodes/2",
  ]);
});

test("a graph that cannot run says why", () => {
  expect(brief(structureProblems(graph("a>end")))).toEqual(["no_start  /nodes"]);
  expect(brief(structureProblems(graph("start>a start2>a a>end")))).toEqual(["many_starts start2 /nodes/2"]);
  expect(structureProblems(graph(""))).toEqual([]);
  expect(brief(flowProblems(graph("")))).toEqual(["no_start  /nodes"]);
  expect(brief(flowProblems(graph("start>a a>end b>a", ["c"])))).toEqual([
    "unreachable b /nodes/3",
    "unreachable c /nodes/4",
  ]);
  expect(
    brief(flowProblems(graph("start>condition condition>a:true condition>b:maybe a>end end>b b>end2 end>c"))),
  ).toEqual([
    "missing_branch condition /nodes/1",
    "bad_branch condition /edges/2/branch_label",
    "bad_branch end /edges/4",
    "bad_branch end /edges/6",
  ]);
  expect(flowProblems(graph("start>condition condition>a:true condition>b:False a>end b>end"))).toEqual([]);
});
