import type { InWorkspace } from "../../kernel/context.ts";
import type { PictureToDraw } from "../../kernel/ports/document-renderer.ts";
import { flowAt } from "../workflow-runs/flow.sql.ts";
import type { ShownRun } from "../workflow-runs/reads.sql.ts";
import { stagesOf } from "../workflow-runs/runs.sql.ts";
import { graphAt } from "../workflows/pinned.ts";
import { pictureOf } from "./picture.ts";

/** Describes the picture of a run: the graph of its version, with the states of its stages. */
export async function pictureOfRun(ctx: InWorkspace, run: ShownRun): Promise<PictureToDraw> {
  const { name } = await flowAt(ctx.db, run);
  const graph = await graphAt(ctx.db, run.workflow_id, run.version);
  const stages = await stagesOf(ctx.db, run.id);
  const drawn = { nodes: graph.order, edges: graph.order.flatMap(({ out }) => out) };
  return pictureOf(ctx, `${name} · ${run.issue_key}`, drawn, new Map(stages.map((stage) => [stage.node_id, stage])));
}
