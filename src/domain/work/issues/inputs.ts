import { z } from "zod";
import { ISSUE_TYPES, PRIORITIES, PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { CATEGORIES, CATEGORY_SYNONYMS } from "../../kernel/categories.ts";
import { input, inputPart } from "../../kernel/described.ts";
import { minutesOr } from "../../kernel/durations.ts";
import { date, day } from "../../kernel/whole-days.ts";
import { choice, idInput, line, reference, text } from "../../kernel/wire.ts";
import { aboutBulkIssues, aboutIssueInProject, aboutIssueInput, aboutTransition } from "./descriptions.ts";

/** Bodies of the issue calls, named as the specification names them. */

export const issueType = choice(ISSUE_TYPES);
export const category = choice(CATEGORIES, CATEGORY_SYNONYMS);
/** A column by its category, beside a `status_id`. */
const status = choice(CATEGORIES, CATEGORY_SYNONYMS, "To name one of several columns, send its id in status_id.");
export const priority = choice(PRIORITIES, PRIORITY_SYNONYMS);

/** A year in minutes. */
export const MAX_MINUTES = 525_600;
export const minutes = minutesOr(z.number().int().min(0).max(MAX_MINUTES));
export const points = z.number().int().min(0).max(1_000);
export const percent = z.number().int().min(0).max(100);

export const rank = z
  .string()
  .max(200)
  .regex(/^[a-zA-Z][0-9]+$/, "Use a rank from a reply.");

const placing = { rank: rank.optional(), before: reference.optional(), after: reference.optional() };

/** Maximum number of labels of an issue. */
export const MAX_LABELS = 50;
/** Maximum number of custom fields that a call can set. */
const MAX_VALUES = 1_000;
const labels = z.array(reference).max(MAX_LABELS).optional();

const shared = {
  status: status.optional(),
  status_id: idInput.optional(),
  assignee_ids: z.array(reference).max(20).optional(),
  labels,
  custom_fields: z.record(z.string().max(100), z.unknown()).meta({ maxProperties: MAX_VALUES }).optional(),
  reporter: reference.optional(),
  ...placing,
};

/** Fields that are stored as sent. Null clears them. */
export const plainFields = {
  description_md: text(0, 65_536).nullable().optional(),
  estimate_minutes: minutes.nullable().optional(),
  story_points: points.nullable().optional(),
  spent_minutes: minutes.nullable().optional(),
  completion_pct: percent.nullable().optional(),
  start_at: date,
  start_on: day,
  due_at: date,
  due_on: day,
};

/** Fields that name another object. Null clears them. */
const links = {
  assignee: reference.nullable().optional(),
  parent: reference.nullable().optional(),
  epic: reference.nullable().optional(),
  milestone_id: idInput.nullable().optional(),
  sprint_id: idInput.nullable().optional(),
  release_id: idInput.nullable().optional(),
  external_source: line(1, 50).nullable().optional(),
  external_id: line(1, 200).nullable().optional(),
};

export const IssueCreateInput = input("IssueCreateInput", aboutIssueInput, {
  type: issueType.default("task"),
  title: line(1, 255),
  priority: priority.default("medium"),
  watcher_ids: z.array(reference).max(50).optional(),
  ...plainFields,
  ...links,
  ...shared,
});
export type IssueCreateInput = z.output<typeof IssueCreateInput>;

/** The same, and the project. */
export const IssueInProjectInput = input("IssueInProjectInput", aboutIssueInProject, {
  project: reference.optional(),
  ...IssueCreateInput.shape,
});
export type IssueInProjectInput = z.output<typeof IssueInProjectInput>;

export const IssuePatchInput = input("IssuePatchInput", aboutIssueInput, {
  type: issueType.optional(),
  title: line(1, 255).optional(),
  priority: priority.optional(),
  add_labels: labels,
  remove_labels: labels,
  if_version: z.number().int().min(1).optional(),
  ...plainFields,
  ...links,
  ...shared,
});
export type IssuePatchInput = z.output<typeof IssuePatchInput>;

export const IssueTransitionInput = inputPart(aboutTransition, {
  status: status.optional(),
  status_id: idInput.optional(),
  ...placing,
  position: choice(["top", "bottom"]).optional(),
  comment_md: text(1, 64_000).optional(),
  if_version: z.number().int().min(1).optional(),
})
  .refine((body) => body.status !== undefined || body.status_id !== undefined, {
    path: ["status"],
    message: "is required, unless status_id is sent",
    params: { code: "required" },
  })
  .meta({ id: "IssueTransitionInput" });
export type IssueTransitionInput = z.output<typeof IssueTransitionInput>;

/** Each item is checked alone and has its own result. */
export const BulkIssuesCreateInput = input("BulkIssuesCreateInput", aboutBulkIssues, {
  items: z.array(z.unknown()).min(1).max(50),
});
