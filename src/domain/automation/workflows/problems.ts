import { type Edge, type GraphInput, orderOf } from "./graph.ts";
import { wordOf } from "./machine.ts";

export const PROBLEM_CODES = [
  "duplicate_node",
  "unknown_node",
  "self_edge",
  "duplicate_edge",
  "cycle",
  "no_start",
  "many_starts",
  "unreachable",
  "missing_branch",
  "bad_branch",
  "bad_config",
  "too_large",
] as const;

/** What is wrong with a graph. Clients get all problems at once. */
export type Problem = {
  code: (typeof PROBLEM_CODES)[number];
  message: string;
  node_id?: string;
  edge_id?: string;
  /** JSON pointer into the body. */
  path: string;
};

/** Problems of structure. A graph that has any is not saved. An empty one has none. */
export function structureProblems(graph: GraphInput): Problem[] {
  return [...tooLarge(graph), ...duplicates(graph), ...badEdges(graph), ...badStarts(graph), ...cycles(graph)];
}

/** Problems of a graph with a sound structure that keep it from running. */
export function flowProblems(graph: GraphInput): Problem[] {
  if (graph.nodes.length === 0) return [NO_START];
  return [...unreachable(graph), ...badBranches(graph)];
}

const NO_START: Problem = { code: "no_start", message: "Add a start node.", path: "/nodes" };

export const MAX_NODES = 200;
export const MAX_EDGES = 400;

function* tooLarge({ nodes, edges }: GraphInput): Generator<Problem> {
  if (nodes.length > MAX_NODES) {
    yield { code: "too_large", message: `A workflow has at most ${MAX_NODES} nodes.`, path: "/nodes" };
  }
  if (edges.length > MAX_EDGES) {
    yield { code: "too_large", message: `A workflow has at most ${MAX_EDGES} edges.`, path: "/edges" };
  }
}

const nodePath = (n: number) => `/nodes/${n}`;
const edgePath = (n: number) => `/edges/${n}`;

function* duplicates({ nodes, edges }: GraphInput): Generator<Problem> {
  for (const [n, { id }] of nodes.entries()) {
    if (nodes.findIndex((other) => other.id === id) === n) continue;
    yield {
      code: "duplicate_node",
      message: `Another node has the id ${id}.`,
      node_id: id,
      path: `${nodePath(n)}/id`,
    };
  }
  const seen = new Set<string>();
  for (const [n, { id }] of edges.entries()) {
    if (seen.has(id)) {
      const message = `Another edge has the id ${id}.`;
      yield { code: "duplicate_edge", message, edge_id: id, path: `${edgePath(n)}/id` };
    }
    seen.add(id);
  }
}

function* badEdges({ nodes, edges }: GraphInput): Generator<Problem> {
  const known = new Set(nodes.map(({ id }) => id));
  const pairs = new Set<string>();
  for (const [n, { id, source_node_id: source, target_node_id: target }] of edges.entries()) {
    for (const [field, ref] of [
      ["source_node_id", source],
      ["target_node_id", target],
    ] as const) {
      if (known.has(ref)) continue;
      const message = `There is no node ${ref}.`;
      yield { code: "unknown_node", message, edge_id: id, path: `${edgePath(n)}/${field}` };
    }
    const pair = JSON.stringify([source, target]);
    if (source === target) {
      const message = "An edge must lead to another node.";
      yield { code: "self_edge", message, node_id: source, edge_id: id, path: edgePath(n) };
    } else if (pairs.has(pair)) {
      const message = `Another edge leads from ${source} to ${target}.`;
      yield { code: "duplicate_edge", message, edge_id: id, path: edgePath(n) };
    }
    pairs.add(pair);
  }
}

/**
 * Each node that is part of a cycle. Nodes that a cycle only leads to are not. Edges that are no path, from a node to itself
 * or to an unknown one, have problems of their own.
 */
function* cycles({ nodes, edges: all }: GraphInput): Generator<Problem> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const paths = all.filter(
    ({ source_node_id: source, target_node_id: target }) => source !== target && known.has(source) && known.has(target),
  );
  const graph = { nodes: [...known.values()], edges: paths };
  const left = new Set(orderOf(graph).left);
  const edges = graph.edges.filter((edge) => left.has(edge.source_node_id) && left.has(edge.target_node_id));
  const reversed = edges.map((edge) => ({
    ...edge,
    source_node_id: edge.target_node_id,
    target_node_id: edge.source_node_id,
  }));
  const inCycle = new Set(orderOf({ nodes: graph.nodes.filter(({ id }) => left.has(id)), edges: reversed }).left);
  for (const [n, { id }] of nodes.entries()) {
    if (!inCycle.has(id) || nodes[n] !== known.get(id)) continue;
    const message = `${id} leads back to itself. A workflow cannot have cycles.`;
    yield { code: "cycle", message, node_id: id, path: nodePath(n) };
  }
}

function* badStarts({ nodes }: GraphInput): Generator<Problem> {
  const starts = [...nodes.entries()].filter(([, { kind }]) => kind === "start");
  if (nodes.length > 0 && starts.length === 0) yield NO_START;
  for (const [n, { id }] of starts.slice(1)) {
    yield { code: "many_starts", message: "A workflow has one start node.", node_id: id, path: nodePath(n) };
  }
}

/** Nodes to which no path leads from a start. */
export function* unreachable({ nodes, edges }: GraphInput): Generator<Problem> {
  const outs = Map.groupBy(edges, ({ source_node_id }) => source_node_id);
  const reached = nodes.filter(({ kind }) => kind === "start").map(({ id }) => id);
  const seen = new Set(reached);
  // The list grows while it is read.
  for (const id of reached) {
    for (const { target_node_id: target } of outs.get(id) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      reached.push(target);
    }
  }
  if (reached.length === 0) return;
  for (const [n, { id }] of nodes.entries()) {
    if (seen.has(id)) continue;
    yield { code: "unreachable", message: `No path leads from the start to ${id}.`, node_id: id, path: nodePath(n) };
  }
}

function* badBranches({ nodes, edges }: GraphInput): Generator<Problem> {
  const indexes = new Map(edges.map((edge, n) => [edge, n]));
  const outs = Map.groupBy(edges, ({ source_node_id }) => source_node_id);
  for (const [n, { id, kind }] of nodes.entries()) {
    const out = outs.get(id) ?? [];
    for (const edge of kind === "end" ? out : []) {
      const message = "No edge can lead from an end node.";
      yield { code: "bad_branch", message, node_id: id, edge_id: edge.id, path: edgePath(indexes.get(edge)!) };
    }
    if (kind !== "condition") continue;
    const words = out.map(({ branch_label }) => wordOf(branch_label, kind));
    for (const wanted of ["true", "false"]) {
      if (words.includes(wanted) || words.includes("always")) continue;
      const message = `The condition ${id} needs an edge with the branch_label "${wanted}".`;
      yield { code: "missing_branch", message, node_id: id, path: nodePath(n) };
    }
    for (const edge of out) if (!isBranch(edge)) yield badLabel(edge, indexes.get(edge)!);
  }
}

const isBranch = ({ branch_label }: Edge) =>
  ["true", "false", "always"].includes(String(wordOf(branch_label, "condition")));

const badLabel = (edge: Edge, n: number): Problem => ({
  code: "bad_branch",
  message: 'An edge from a condition has the branch_label "true" or "false".',
  node_id: edge.source_node_id,
  edge_id: edge.id,
  path: `${edgePath(n)}/branch_label`,
});
