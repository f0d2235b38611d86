import { Graph, layout as layOutByDagre } from "@dagrejs/dagre";
import type { PictureEdge, PictureNode } from "../../../../domain/kernel/ports/document-renderer.ts";
import { widthOf } from "../../../../domain/kernel/text-width.ts";

/** Where the nodes and edges of a graph are drawn: in rows from top to bottom, with few crossings. */

export type Point = { x: number; y: number };
export type Layout = {
  width: number;
  height: number;
  /** The middle of each node, by its index. */
  nodes: Point[];
  /** The line of each edge and the middle of its label, by its index. */
  edges: { points: Point[]; label: Point }[];
};

/** Size of a node. */
export const NODE = { width: 240, height: 76 };
export const LABEL = { size: 12, height: 18, padding: 6 };
const MARGIN = 24;

/**
 * Rows that all edges together may cross. Each of them costs dagre a point, and its time grows with their square. Beyond
 * that, the longest edges are drawn as plain curves.
 */
const MAX_ROWS_CROSSED = 700;

export function layOut(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 28, edgesep: 18, ranksep: 44 });
  const names = new Map(nodes.map(({ id }, n) => [id, String(n)]));
  for (const name of names.values()) graph.setNode(name, { ...NODE });
  const routed = shortEnough(nodes, edges);
  for (const [n, { source, target, label }] of edges.entries()) {
    if (!routed.has(n)) continue;
    const size = label === null ? { width: 0, height: 0 } : sizeOf(label);
    graph.setEdge(names.get(source)!, names.get(target)!, { ...size, labelpos: "c" }, String(n));
  }
  layOutByDagre(graph);
  const places = nodes.map((_, n): Point => graph.node(String(n)) as Point);
  const at = (id: string) => places[Number(names.get(id))]!;
  const lines = edges.map(({ source, target }, n) => {
    if (!routed.has(n)) return curve(at(source), at(target));
    const { points, x, y } = graph.edge(names.get(source)!, names.get(target)!, String(n)) as Point & {
      points: Point[];
    };
    const label = { x: x ?? points[0]!.x, y: y ?? points[0]!.y };
    return { points: attached(points, at(source), at(target)), label };
  });
  return framed(places, lines, edges);
}

/** Moves everything so that it has the margin around it. */
function framed(nodes: readonly Point[], lines: Layout["edges"], edges: readonly PictureEdge[]): Layout {
  const [halfWidth, halfHeight] = [NODE.width / 2, NODE.height / 2];
  const corners = nodes.flatMap(({ x, y }) => [
    { x: x - halfWidth, y: y - halfHeight },
    { x: x + halfWidth, y: y + halfHeight },
  ]);
  const labels = lines.flatMap(({ label: { x, y } }, n) => {
    const { label } = edges[n]!;
    const half = label === null ? 0 : sizeOf(label).width / 2;
    return [
      { x: x - half, y },
      { x: x + half, y },
    ];
  });
  const all = [...corners, ...labels, ...lines.flatMap(({ points }) => points)];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, top] = [Math.min(0, ...xs) - MARGIN, Math.min(0, ...ys) - MARGIN];
  const moved = ({ x, y }: Point): Point => ({ x: x - left, y: y - top });
  return {
    width: Math.ceil(Math.max(NODE.width, ...xs) - left) + MARGIN,
    height: Math.ceil(Math.max(NODE.height, ...ys) - top) + MARGIN,
    nodes: nodes.map(moved),
    edges: lines.map(({ points, label }) => ({ points: points.map(moved), label: moved(label) })),
  };
}

/** Size of an edge's label with the space around its text. */
export const sizeOf = (label: string) => ({
  width: Math.ceil(widthOf(label, LABEL.size)) + 2 * LABEL.padding,
  height: LABEL.height,
});

/** The edges that dagre routes: the shortest ones, as many as it can route quickly. */
function shortEnough(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): Set<number> {
  const rows = rowsOf(nodes, edges);
  const spans = edges.map(({ source, target }, n) => ({ n, span: rows.get(target)! - rows.get(source)! }));
  const routed = new Set<number>();
  let crossed = 0;
  for (const { n, span } of spans.sort((a, b) => a.span - b.span)) {
    crossed += span;
    if (crossed > MAX_ROWS_CROSSED && span > 1) break;
    routed.add(n);
  }
  return routed;
}

/** The row of each node: the length of the longest path to it. */
function rowsOf(nodes: readonly PictureNode[], edges: readonly PictureEdge[]): Map<string, number> {
  const rows = new Map(nodes.map(({ id }) => [id, 0]));
  const missing = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { target } of edges) missing.set(target, missing.get(target)! + 1);
  const outs = Map.groupBy(edges, ({ source }) => source);
  const ready = nodes.filter(({ id }) => missing.get(id) === 0).map(({ id }) => id);
  // The list grows while it is read.
  for (const id of ready) {
    for (const { target } of outs.get(id) ?? []) {
      rows.set(target, Math.max(rows.get(target)!, rows.get(id)! + 1));
      missing.set(target, missing.get(target)! - 1);
      if (missing.get(target) === 0) ready.push(target);
    }
  }
  return rows;
}

/** From here to its corners, a node may be round. */
const STRAIGHT = NODE.width / 2 - 44;

/** A line that leaves its source at the bottom and reaches its target at the top, where they are not round. */
function attached(points: readonly Point[], source: Point, target: Point): Point[] {
  const inner = points.slice(1, -1);
  const beside = (node: Point, next: Point | undefined) => {
    const x = next?.x ?? node.x;
    return Math.min(Math.max(x, node.x - STRAIGHT), node.x + STRAIGHT);
  };
  const first = { x: beside(source, inner[0] ?? target), y: source.y + NODE.height / 2 };
  const last = { x: beside(target, inner.at(-1) ?? source), y: target.y - NODE.height / 2 };
  return [first, ...inner, last];
}

/** The line of an edge that dagre does not route. It passes behind nodes. */
function curve(source: Point, target: Point): Layout["edges"][number] {
  const from = { x: source.x + NODE.width / 3, y: source.y + NODE.height / 2 };
  const to = { x: target.x + NODE.width / 3, y: target.y - NODE.height / 2 };
  const side = Math.max(from.x, to.x) + NODE.width / 2;
  const points = [from, { x: side, y: from.y + 60 }, { x: side, y: to.y - 60 }, to];
  return { points, label: { x: from.x, y: from.y + 16 } };
}
