import { namesOf } from "../../work/issues/history.sql.ts";
import { labelsOf, viewOf } from "../../work/issues/view.ts";
import type { Running } from "../actions/action.ts";
import type { ActionInput } from "../actions/inputs.ts";
import { valuesOf } from "../automation-runs/candidate.ts";
import type { OpenRun } from "./open-run.ts";
import { earlierRuns } from "./runs.sql.ts";

/** What actions know of a run. In texts, the actor is the one who started it. */
export async function runningOf({ ctx, run, flow, issue, timezone }: OpenRun, action: ActionInput): Promise<Running> {
  const hasTexts = JSON.stringify(action).includes("{{");
  const people = hasTexts ? [run.started_by, issue.reporter_id] : [];
  const names = await namesOf(ctx.db, run.workspace_id, people);
  const takesTurns = action.type === "assign_to" && action.assign_target === "round_robin";
  const started = {
    type: "workflow_run.started",
    actor_kind: run.automation_id === null ? "user" : "automation",
    actor_name: names.get(run.started_by) ?? null,
    data: {},
    created_at: ctx.now,
  };
  const values = valuesOf(started, { issue: viewOf(ctx, issue, labelsOf(issue)) }, timezone);
  const more = { "automation.name": flow.name, "issue.reporter": names.get(issue.reporter_id) ?? "" };
  return {
    issueId: run.issue_id,
    values: { ...values, ...more },
    triggeringUserId: run.started_by,
    ordinal: takesTurns ? await earlierRuns(ctx, run) : 0,
    source: { kind: "workflow", id: flow.id, name: flow.name, runId: run.id },
  };
}
