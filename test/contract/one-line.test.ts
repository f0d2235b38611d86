import { expect, test } from "vitest";
import { z } from "zod";
import { operations } from "../../src/api/operations/index.ts";

/** The text fields of bodies that may have line breaks. All others are one line, like names and titles. */

const TEXTS = [
  "append",
  "body_md",
  "comment",
  "comment_md",
  "default_value",
  "delta",
  "description",
  "description_md",
  "error",
  "find",
  "goal",
  "header_text",
  "help_text",
  "instructions",
  "message",
  "note",
  "note_md",
  "password",
  "placeholder",
  "prompt",
  "quote",
  "success_message",
  "summary",
  "text",
  "value",
  "with",
];

/** Fields that are looked up or parsed, and rejected if that fails. Their text is not stored as it was sent. */
const READ = [
  ...["after", "before", "agent_id", "assignee", "assignee_ids", "comment_id", "custom_field_id", "field", "id"],
  ...["default_assignee_id", "default_label_ids", "default_sprint_id", "default_status_id", "default_locale", "epic"],
  ...[
    "event_types",
    "labels",
    "add_labels",
    "remove_labels",
    "lead_user_id",
    "member_ids",
    "milestone_id",
    "parent",
    "project",
  ],
  ...["move_open_issues_to", "parent_id", "project_ids", "release_id", "reporter", "session_id", "sprint_id"],
  ...["status_id", "target_key", "timezone", "url", "user_id", "watcher_ids"],
  ...["portfolio_id", "parent_goal_id", "owner_user_id", "project_id", "message_id", "user_ids"],
  // People and the nodes of edges in graphs of workflows.
  ...["approver_ids", "assignee_user_id", "node_id", "node_ids", "source_node_id", "target_node_id", "until_field"],
  // Durations.
  ...["estimate_minutes", "minutes", "remaining_minutes", "spent_minutes"],
  // Actions of automations and workflows.
  ...["agent_user_id", "channel_id", "label_id", "member_id", "status", "webhook_id", "workflow_id"],
  // The issue and the run that a session works on.
  ...["issue_id", "issue_key", "workflow_run_id"],
  // Names of fields that an agent may change.
  "field_policy",
  // Parameters of triggers, and filters of the list of issues.
  ...["fields", "form_id", "from", "to", "label", "milestone", "priority", "q", "release", "sprint", "type"],
  // The filter of a view.
  ...["projectIds", "assigneeId", "milestoneId", "sprintId", "statuses"],
  // Times in filters of the list of issues.
  ...["due_before", "updated_since"],
  // Lists of the scope of an automatic key result.
  ...["assignee_id", "label_ids", "milestone_ids", "parent_ids", "release_ids", "sprint_ids"],
  // Times.
  ...[
    "close_at",
    "created_at",
    "cycle_due_at",
    "cycle_start_at",
    "due_at",
    "end_at",
    "expires_at",
    "released_at",
    "since",
    "start_at",
    "target_at",
    "target_date",
    "until",
  ],
];

test("names and titles of every body are single lines; only texts keep line breaks", () => {
  const keeping = new Set<string>();
  for (const { body } of operations) if (body) collect(body, "", keeping);
  expect([...keeping].filter((name) => !READ.includes(name)).sort()).toEqual(TEXTS);
});

/** Adds the names of text fields whose line breaks the schema keeps. */
function collect(schema: unknown, name: string, keeping: Set<string>): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    collect(schema.unwrap(), name, keeping);
  } else if (schema instanceof z.ZodPipe) collect(schema.in, name, keeping);
  else if (schema instanceof z.ZodObject) {
    for (const [field, inner] of Object.entries(schema.shape)) collect(inner, field, keeping);
  } else if (schema instanceof z.ZodArray) collect(schema.element, name, keeping);
  else if (schema instanceof z.ZodUnion) for (const option of schema.options) collect(option, name, keeping);
  else if (schema instanceof z.ZodString) {
    const read = schema.safeParse("aaaa\nbbbb");
    if (read.success && read.data.includes("\n")) keeping.add(name);
  }
}
