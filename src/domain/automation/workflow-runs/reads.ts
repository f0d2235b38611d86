import { foundIn } from "../../access/identity/project-access.sql.ts";
import type { Found } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { readId } from "../../kernel/ids.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { flowAt } from "./flow.sql.ts";
import { listRuns, readRun, readWorkflowOfRuns, type ShownRun } from "./reads.sql.ts";
import { openRunOf, stagesOf } from "./runs.sql.ts";
import { runSeenBy } from "./seen-by.ts";
import { detailView, runView } from "./show.ts";
import type { WorkflowRunDetailView } from "./view.ts";

/** Reads of runs. Whoever sees the issue sees its runs. */

export async function byId(ctx: InWorkspace, text: string): Promise<Found<ShownRun> | null> {
  const id = readId(text);
  const row = id && (await readRun(ctx, id));
  return row ? foundIn(row, row, "everyone") : null;
}

/** The workflow whose runs are listed. */
export async function workflowInPath(ctx: InWorkspace, text: string): Promise<Found<{ id: string }> | null> {
  const id = readId(text);
  const row = id && (await readWorkflowOfRuns(ctx, id));
  return row ? foundIn(row, row, row.project_id === null ? "members" : "everyone") : null;
}

export async function listPage(ctx: InWorkspace, workflow: { id: string }, paging: Paging) {
  const rows = await listRuns(ctx, workflow.id, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, ({ started_at, id }) => [started_at, id]);
  return { ...page, rows: page.rows.map(runView) };
}

/** A run with the states of its stages. */
export async function detailOf(ctx: InWorkspace, run: ShownRun): Promise<WorkflowRunDetailView> {
  const { db } = ctx;
  const flow = await flowAt(db, run);
  const stages = await stagesOf(db, run.id);
  return runSeenBy(ctx, detailView(run, flow, new Map(stages.map((stage) => [stage.node_id, stage]))));
}

/** The open run of an issue; null if there is none. */
export async function openRunInPath(
  ctx: InWorkspace & { issue: { id: string } },
): Promise<WorkflowRunDetailView | null> {
  const id = await openRunOf(ctx.db, ctx.workspace.id, ctx.issue.id);
  const row = id && (await readRun(ctx, id));
  return row ? detailOf(ctx, row) : null;
}
