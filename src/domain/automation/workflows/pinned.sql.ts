import type { Db } from "../../kernel/ports/ports.ts";
import type { Edge } from "./graph.ts";
import type { WorkflowNode } from "./nodes.ts";

/** Reads a version of a workflow's graph. Its length is that of its JSON, in characters. */
export async function readVersion(
  db: Db,
  workflowId: string,
  version: number,
): Promise<{ nodes: WorkflowNode[]; edges: Edge[]; length: number } | null> {
  const [row] = await db.query<{ nodes: WorkflowNode[]; edges: Edge[]; length: number }>(
    {
      name: "read_workflow_version",
      text: `
        select nodes, edges, length(nodes::text) + length(edges::text) as length
        from workflow_version where workflow_id = $1 and version = $2`,
    },
    [workflowId, version],
  );
  return row ?? null;
}
