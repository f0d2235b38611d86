import type { Db } from "../../kernel/ports/ports.ts";
import { type Graph, graphOf } from "./graph.ts";
import type { WorkflowNode } from "./nodes.ts";
import { readVersion } from "./pinned.sql.ts";

/** The graphs of runs. A version never changes, so each process keeps those that it used last. */

export type PinnedGraph = Graph<WorkflowNode>;

/** Characters of JSON that a process keeps. In memory, a graph takes several times as much. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** In the order of their last use. */
const kept = new Map<string, { graph: PinnedGraph; length: number }>();
let total = 0;

/**
 * Returns the graph that a run is pinned to, with the whole config of its nodes. It must not be changed.
 * @param workflowId the workflow of a run that the caller has read
 */
export async function graphAt(db: Db, workflowId: string, version: number): Promise<PinnedGraph> {
  const key = `${workflowId} ${version}`;
  const found = kept.get(key);
  if (found) {
    kept.delete(key);
    kept.set(key, found);
    return found.graph;
  }
  const row = await readVersion(db, workflowId, version);
  if (!row) throw new Error(`Workflow ${workflowId} has no version ${version}.`);
  const graph = graphOf(row);
  keep(key, { graph, length: row.length });
  return graph;
}

function keep(key: string, entry: { graph: PinnedGraph; length: number }): void {
  // Another call may have read it meanwhile.
  if (kept.has(key)) return;
  kept.set(key, entry);
  total += entry.length;
  for (const [oldest, { length }] of kept) {
    if (total <= MAX_LENGTH) return;
    kept.delete(oldest);
    total -= length;
  }
}
