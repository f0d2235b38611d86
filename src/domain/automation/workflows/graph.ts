/** The graph of a workflow, prepared for running it. */

export const NODE_KINDS = [
  "start",
  "agent",
  "person",
  "condition",
  "parallel",
  "end",
  "approval",
  "action",
  "wait",
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

export const OUTCOMES = [
  "success",
  "failure",
  "approved",
  "rejected",
  "true",
  "false",
  "timeout",
  "forced",
  "cancelled",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How a node waits for the branches that lead to it: for every live one, or for the first one. */
export type Join = "all" | "any";

/** A node as far as the graph needs it. */
export type Node = {
  id: string;
  kind: NodeKind;
  config: { join?: Join | undefined; result?: "completed" | "failed" | undefined; [other: string]: unknown };
};
export type Edge = { id: string; source_node_id: string; target_node_id: string; branch_label: string | null };
export type GraphInput<N extends Node = Node> = { nodes: readonly N[]; edges: readonly Edge[] };

export type GraphNode<N extends Node = Node> = N & {
  in: readonly Edge[];
  out: readonly Edge[];
  join: Join;
  /**
   * For a node that the first branch starts: the nodes from which every path leads to it. They have no other use once it
   * has started.
   */
  onlyLeadsHere: ReadonlySet<string>;
};

/** A graph without cycles. */
export type Graph<N extends Node = Node> = {
  nodes: ReadonlyMap<string, GraphNode<N>>;
  /** Every node after those that lead to it. */
  order: readonly GraphNode<N>[];
};

/** Prepares a graph whose references are valid and which has no cycle. */
export function graphOf<N extends Node>({ nodes, edges }: GraphInput<N>): Graph<N> {
  const ins = Map.groupBy(edges, ({ target_node_id }) => target_node_id);
  const outs = Map.groupBy(edges, ({ source_node_id }) => source_node_id);
  const plain = new Map(
    nodes.map((node) => [node.id, { ...node, in: ins.get(node.id) ?? [], out: outs.get(node.id) ?? [] }]),
  );
  const order = orderOf({ nodes, edges }).sorted.map((id) => plain.get(id)!);
  const forks = nearestForks(order);
  const joined = order.map((node) => {
    const fork = node.kind === "parallel" ? node : forks.get(node.id);
    return { ...node, join: fork?.config.join ?? "all" };
  });
  const full = joined.map((node) => ({
    ...node,
    onlyLeadsHere: node.join === "any" && node.in.length > 1 ? leadingOnlyTo(node.id, joined) : NONE,
  }));
  return { nodes: new Map(full.map((node) => [node.id, node])), order: full };
}

const NONE: ReadonlySet<string> = new Set();

/** Sorts the nodes so that each comes after those that lead to it. Nodes of cycles, and those behind them, are left. */
export function orderOf({ nodes, edges }: GraphInput): { sorted: string[]; left: string[] } {
  const missing = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { target_node_id: id } of edges) missing.set(id, (missing.get(id) ?? 0) + 1);
  const outs = Map.groupBy(edges, ({ source_node_id }) => source_node_id);
  const sorted = nodes.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id);
  // The list grows while it is read.
  for (const id of sorted) {
    for (const { target_node_id: target } of outs.get(id) ?? []) {
      missing.set(target, missing.get(target)! - 1);
      if (missing.get(target) === 0) sorted.push(target);
    }
  }
  const done = new Set(sorted);
  return { sorted, left: nodes.flatMap(({ id }) => (done.has(id) ? [] : [id])) };
}

type Plain = Node & { in: readonly Edge[]; out: readonly Edge[] };

/**
 * The nearest parallel node that every path to a node passes: the fork that its branches come from.
 */
function nearestForks(order: readonly Plain[]): Map<string, Plain> {
  const byId = new Map(order.map((node) => [node.id, node]));
  const depth = new Map<string, number>();
  // The last node that all paths to a node have in common. None for a node that nothing leads to.
  const above = new Map<string, string | null>();
  const common = (a: string | null, b: string | null): string | null => {
    let [x, y] = [a, b];
    while (x !== y) {
      if (x === null || y === null) return null;
      if (depth.get(x)! >= depth.get(y)!) x = above.get(x)!;
      else y = above.get(y)!;
    }
    return x;
  };
  const forks = new Map<string, Plain>();
  for (const node of order) {
    const sources = node.in.map(({ source_node_id }) => source_node_id);
    const parent = sources.length === 0 ? null : sources.slice(1).reduce<string | null>(common, sources[0]!);
    above.set(node.id, parent);
    depth.set(node.id, parent === null ? 0 : depth.get(parent)! + 1);
    const fork =
      parent === null ? undefined : byId.get(parent)!.kind === "parallel" ? byId.get(parent) : forks.get(parent);
    if (fork) forks.set(node.id, fork);
  }
  return forks;
}

function leadingOnlyTo(id: string, order: readonly Plain[]): Set<string> {
  const leading = new Set<string>();
  for (const node of order.toReversed()) {
    const targets = node.out.map(({ target_node_id }) => target_node_id);
    if (targets.length > 0 && targets.every((target) => target === id || leading.has(target))) leading.add(node.id);
  }
  return leading;
}
