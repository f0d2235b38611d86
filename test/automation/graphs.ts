/** Parts of graphs, as bodies have them. */

export const START = { id: "start", kind: "start" };
export const END = { id: "end", kind: "end" };
/** An edge between two nodes. Its id names both. */
export const edge = (source: string, target: string, branch_label: string | null = null) => ({
  id: `${source}>${target}`,
  source_node_id: source,
  target_node_id: target,
  branch_label,
});
