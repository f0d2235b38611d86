import type { Db } from "../../kernel/ports/ports.ts";
import { type GraphInput, graphOf } from "../workflows/graph.ts";
import type { Flow, FlowGraph } from "./rows.ts";

/** The version of a workflow that a run follows. */

const READ = {
  name: "flow_of_run",
  text: `
    select w.id, w.name, w.created_by, v.nodes, v.edges from workflow w
    join workflow_version v on v.workflow_id = w.id and v.version = $3
    where w.workspace_id = $1 and w.id = $2`,
};

export async function flowAt(
  db: Db,
  run: { workspace_id: string; workflow_id: string; version: number },
): Promise<Flow> {
  const [row] = await db.query<Omit<Flow, "graph"> & GraphInput>(READ, [
    run.workspace_id,
    run.workflow_id,
    run.version,
  ]);
  const { nodes, edges, ...flow } = row!;
  return { ...flow, graph: graphOf({ nodes, edges }) as FlowGraph };
}
