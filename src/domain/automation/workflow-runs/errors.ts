import { conflict, defineErrors, forbidden, missing } from "../../kernel/define-errors.ts";

export const workflowRunErrors = defineErrors({
  workflow_not_enabled: conflict(
    "Workflow not enabled",
    "The workflow is a draft.",
    "Enable it first: PATCH it with enabled=true.",
  ),
  run_already_active: conflict(
    "Run already active",
    "The issue is in the workflow run named by run_id.",
    "Cancel that run, or wait until it has ended.",
  ),
  chain_too_long: conflict(
    "Chain too long",
    "Too many runs and automations have started each other.",
    "Change the workflows so that they do not.",
  ),
  run_finished: conflict("Run finished", "The run has ended.", "Start a new one."),
  no_active_stage: conflict(
    "No active stage",
    "The stage is not active, or ends by itself.",
    "See the states of the nodes in the run, and complete one that is active.",
  ),
  not_stage_actor: forbidden(
    "Not an actor of the stage",
    "Only the stage's assignee or approvers may complete it.",
    "Ask one of them. An admin may advance the run instead.",
  ),
  no_active_run: missing("No active run", "The issue is in no workflow run.", "Start one first."),
});
