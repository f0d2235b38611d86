import { createIssue, linkIssue } from "./create.ts";
import type { Definition } from "./define.ts";
import { notifyUsers } from "./notify-users.ts";
import { notifyAgent } from "./of-agents.ts";
import { postMessage } from "./of-chat.ts";
import { setCustomField, setField } from "./of-fields.ts";
import { addComment, archiveIssue, setPriority, setStatus } from "./of-issues.ts";
import { assignTo, unassign } from "./of-people.ts";
import { addLabel, moveToSprint, removeLabel } from "./of-planning.ts";
import { sendWebhook } from "./of-webhooks.ts";
import { startWorkflow } from "./of-workflows.ts";

/** All actions, by their `type`. */
export const ACTIONS = {
  set_status: setStatus,
  set_priority: setPriority,
  assign_to: assignTo,
  unassign,
  add_label: addLabel,
  remove_label: removeLabel,
  move_to_sprint: moveToSprint,
  add_comment: addComment,
  notify_agent: notifyAgent,
  set_field: setField,
  set_custom_field: setCustomField,
  create_issue: createIssue,
  link_issue: linkIssue,
  notify_users: notifyUsers,
  post_message: postMessage,
  send_webhook: sendWebhook,
  start_workflow: startWorkflow,
  archive_issue: archiveIssue,
};
export type ActionType = keyof typeof ACTIONS;

/** The declaration of an action. The types of its functions are those of the action with the same `type`. */
export const declarationOf = (type: ActionType) => ACTIONS[type] as unknown as Definition;
