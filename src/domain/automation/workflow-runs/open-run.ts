import { timezoneOf } from "../../access/identity/timezones.sql.ts";
import type { Writing } from "../../kernel/context.ts";
import { type FullIssue, readIssue } from "../../work/issues/change.sql.ts";
import { flowAt } from "./flow.sql.ts";
import { asWorkflow, type RunCtx } from "./place.ts";
import type { Flow, RunRow, StageRow } from "./rows.ts";
import { lockRun, stagesOf } from "./runs.sql.ts";

/** A locked run with all that a step needs. */
export type OpenRun = {
  /** The transaction as its caller: a person, or the worker. */
  caller: Writing;
  /** The transaction as the workflow. */
  ctx: RunCtx;
  run: RunRow;
  flow: Flow;
  /** By node. Empty before the first step. */
  stages: ReadonlyMap<string, StageRow>;
  /** The issue, which is not locked. */
  issue: FullIssue;
  /** Of the workspace. */
  timezone: string;
  /** Whether the worker that makes the step goes on with what is due afterwards, so that this needs no other job. */
  isContinued?: boolean;
};

/** Locks a run and then reads it. Null if there is none. */
export async function openRun(caller: Writing, workspaceId: string, id: string): Promise<OpenRun | null> {
  const run = await lockRun(caller, workspaceId, id);
  if (!run) return null;
  const stages = await stagesOf(caller.tx, id);
  return opened(caller, run, stages);
}

/** A run that the transaction has locked or created. */
export async function opened(caller: Writing, run: RunRow, stages: readonly StageRow[]): Promise<OpenRun> {
  const flow = await flowAt(caller.tx, run);
  const ctx = await asWorkflow(caller, run, flow);
  const issue = await readIssue(ctx, run.issue_id);
  const timezone = await timezoneOf(ctx.db, run.workspace_id);
  // Workers have no caller. What they do, the workflow does.
  const maker = caller.actor.kind === "system" ? ctx : caller;
  return {
    caller: maker,
    ctx,
    run,
    flow,
    stages: new Map(stages.map((stage) => [stage.node_id, stage])),
    issue,
    timezone,
  };
}
