import { newId } from "../../src/domain/kernel/ids.ts";
import type { World } from "../support/world.ts";

/** Workflows for tests, written as rows. */

export type TestNode = {
  id: string;
  kind: string;
  config?: Record<string, unknown>;
  assignee_user_id?: string;
  label?: string;
};
/** From, to, and the label. */
export type TestEdge = readonly [from: string, to: string, label?: string];

/** An enabled workflow of all projects. A start node is added. */
export async function workflow(
  { sql, workspace, owner }: World,
  nodes: readonly TestNode[],
  edges: readonly TestEdge[],
  more: { project_id?: string; status?: string } = {},
): Promise<string> {
  const id = newId();
  const all = [{ id: "start", kind: "start" }, ...nodes].map((node) => ({
    config: {},
    assignee_user_id: null,
    label: null,
    pos_x: 0,
    pos_y: 0,
    ...node,
  }));
  const joined = edges.map(([source_node_id, target_node_id, branch_label = null], n) => ({
    id: `e${n}`,
    source_node_id,
    target_node_id,
    branch_label,
  }));
  await sql(
    `insert into workflow (id, workspace_id, project_id, name, status, version, created_by, created_at, updated_at)
     values ($1, $2, $3, 'Review and release', $4, 1, $5, now(), now())`,
    [id, workspace.id, more.project_id ?? null, more.status ?? "enabled", owner.userId],
  );
  await sql(
    `insert into workflow_version (workflow_id, version, nodes, edges, created_by, created_at)
     values ($1, 1, $2, $3, $4, now())`,
    [id, JSON.stringify(all), JSON.stringify(joined), owner.userId],
  );
  return id;
}

/** A new issue. */
export async function issue({ owner }: Pick<World, "owner">, body: Record<string, unknown> = {}) {
  const { data } = await owner.post("P/issues", { title: "Ship it", ...body }).expect(201);
  return data as { id: string; key: string };
}

/** Starts a run and returns it. */
export async function start(world: Pick<World, "owner">, issueKey: string, workflowId: string, more = {}) {
  const { data } = await world.owner
    .post(`P/issues/${issueKey}/workflow`, { workflow_id: workflowId, ...more })
    .expect(201);
  return data.run as Run;
}

export type Run = {
  id: string;
  status: string;
  waiting: boolean;
  current_summary: string;
  error: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: as JSON
  nodes: { node_id: string; state: string; outcome: string | null; [field: string]: any }[];
  [field: string]: unknown;
};

/** The states of a run's nodes, in one line each: `review: done, success`. */
export const statesOf = ({ nodes }: Pick<Run, "nodes">): Record<string, string> =>
  Object.fromEntries(
    nodes.map(({ node_id, state, outcome }) => [node_id, outcome === null ? state : `${state}, ${outcome}`]),
  );

export const nodeOf = ({ nodes }: Pick<Run, "nodes">, id: string) => nodes.find(({ node_id }) => node_id === id)!;
