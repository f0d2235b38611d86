import { conflict, defineErrors, invalid } from "../../kernel/define-errors.ts";

export const workflowErrors = defineErrors({
  graph_invalid: invalid("Graph invalid", "The graph of the workflow has problems.", "Correct those listed in errors."),
  workflow_runs_in_flight: conflict(
    "Workflow runs in flight",
    "Runs of the workflow are open.",
    "Let them end, or delete the workflow with cancel_runs=true.",
  ),
});
