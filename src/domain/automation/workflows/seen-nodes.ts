import { restored, seenBy } from "../seen/definitions.ts";
import type { Reading } from "../seen/viewer.ts";
import type { WorkflowNode } from "./nodes.ts";

/** Nodes of graphs as readers see them, and as they come back. */

/** Kinds of nodes whose config has actions or conditions. */
const DEFINING: readonly string[] = ["action", "condition"];

/** Nodes without the addresses, projects and issues that the reader does not see. */
export async function nodesSeenBy(
  ctx: Reading,
  nodes: readonly WorkflowNode[],
  options: { addresses: boolean },
): Promise<WorkflowNode[]> {
  const defining = nodes.filter(({ kind }) => DEFINING.includes(kind));
  const configs = await seenBy(
    ctx,
    defining.map(({ config }) => config),
    options,
  );
  const seen = new Map(defining.map((node, n) => [node, configs[n]]));
  return nodes.map((node) => (seen.has(node) ? ({ ...node, config: seen.get(node) } as WorkflowNode) : node));
}

/**
 * Nodes that come back from a reader, with the stored values in the places of hidden ones. Nodes are found by id.
 * @throws Refusal invalid_reference
 */
export function restoredNodes(sent: readonly WorkflowNode[], stored: readonly WorkflowNode[]): WorkflowNode[] {
  const before = new Map(stored.map((node) => [node.id, node]));
  return sent.map((node, n) => {
    if (!DEFINING.includes(node.kind)) return node;
    const old = before.get(node.id);
    const config = old?.kind === node.kind ? old.config : undefined;
    return { ...node, config: restored(node.config, config, `/nodes/${n}/config`) } as WorkflowNode;
  });
}
