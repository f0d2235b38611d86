import type { z } from "zod";
import { variants } from "../../kernel/described.ts";
import { ACTIONS } from "./catalogue.ts";
import { inIssue } from "./create.ts";

/** An action of an automation or of a workflow stage, as bodies and rows have it. */
export const ActionInput = variants("type", [
  ACTIONS.set_status.input,
  ACTIONS.set_priority.input,
  ACTIONS.assign_to.input,
  ACTIONS.unassign.input,
  ACTIONS.add_label.input,
  ACTIONS.remove_label.input,
  ACTIONS.move_to_sprint.input,
  ACTIONS.add_comment.input,
  ACTIONS.notify_agent.input,
  ACTIONS.set_field.input,
  ACTIONS.set_custom_field.input,
  ACTIONS.create_issue.input,
  ACTIONS.link_issue.input,
  ACTIONS.notify_users.input,
  ACTIONS.post_message.input,
  ACTIONS.send_webhook.input,
  ACTIONS.start_workflow.input,
  ACTIONS.archive_issue.input,
])
  .meta({ id: "ActionInput" })
  .transform((action) => (action.type === "create_issue" ? inIssue(action) : action));
export type ActionInput = z.output<typeof ActionInput>;
