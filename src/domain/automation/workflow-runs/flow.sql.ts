import type { Db } from "../../kernel/ports/ports.ts";
import { graphAt } from "../workflows/pinned.ts";
import type { Flow } from "./rows.ts";

/** The version of a workflow that a run follows. */

const READ = {
  name: "flow_of_run",
  text: "select id, name, created_by from workflow where workspace_id = $1 and id = $2",
};

type Pinned = { workspace_id: string; workflow_id: string; version: number };

export async function flowAt(db: Db, { workspace_id, workflow_id, version }: Pinned): Promise<Flow> {
  const [row] = await db.query<Omit<Flow, "graph">>(READ, [workspace_id, workflow_id]);
  return { ...row!, graph: await graphAt(db, workflow_id, version) };
}
