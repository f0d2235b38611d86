import type { Db } from "../../kernel/ports/ports.ts";
import { graphAt } from "../workflows/pinned.ts";
import type { Flow } from "./rows.ts";

/** The version of a workflow that a run follows. */

const READ = {
  name: "flow_of_run",
  text: `
    select w.id, w.name, case when v.key_id is null then w.created_by else v.created_by end as created_by, v.key_id,
           v.key_scopes
    from workflow w join workflow_version v on v.workflow_id = w.id and v.version = $3
    where w.workspace_id = $1 and w.id = $2`,
};

type Pinned = { workspace_id: string; workflow_id: string; version: number };

export async function flowAt(db: Db, { workspace_id, workflow_id, version }: Pinned): Promise<Flow> {
  const [row] = await db.query<Omit<Flow, "graph">>(READ, [workspace_id, workflow_id, version]);
  return { ...row!, graph: await graphAt(db, workflow_id, version) };
}
