import type { InWorkspace } from "../../kernel/context.ts";
import { readReferences } from "../conditions/references.ts";
import type { WorkflowNode } from "./nodes.ts";

/**
 * Returns nodes with the ids of the people whom conditions name by e-mail. Names of nobody stay, and are a problem of the
 * node when the workflow is enabled.
 */
export async function withPeople(ctx: InWorkspace, nodes: readonly WorkflowNode[]): Promise<WorkflowNode[]> {
  const read: WorkflowNode[] = [];
  for (const node of nodes) {
    if (node.kind !== "condition") read.push(node);
    else read.push({ ...node, config: (await readReferences(ctx, node.config)).conditions });
  }
  return read;
}
