import { z } from "zod";
import { type Happened, type Notice, notice, rule } from "./notice.ts";

/** What runs of workflows notify of. */

/** Events of another group, which this one does not import. */
const view = z.object({ workflow_name: z.string() });
type Run = z.output<typeof view>;

export const workflowRules = (["workflow_run.started", "workflow_run.stage_changed"] as const).map((name) =>
  rule({ name, view }, "e.context ? 'stages'", stagesAssigned),
);

function stagesAssigned({ context, data, issue_id, issue_key }: Happened<Run>): Notice[] {
  return (context.stages ?? []).map(({ title, asks, people }) => {
    const wanted = asks === "approval" ? "Your approval is requested" : "A stage is assigned to you";
    return notice(
      "stage_assigned",
      { issue_id },
      {
        people,
        title: `${wanted}: ${title} (${issue_key})`,
        body: data.workflow_name ?? "",
      },
    );
  });
}
