import { z } from "zod";
import type { Scope } from "../../access/identity/scopes.ts";
import { inputPart, part } from "../../kernel/described.ts";
import { choice, id, line, reference, referenceOrNumber } from "../../kernel/wire.ts";
import { IssueFilter } from "../../work/issues/list.ts";
import { aboutTriggerConfig } from "./descriptions.ts";

/** What starts an automation, and the parameters of each trigger. */

export const COMMENT_AUTHORS = ["any", "user", "agent"] as const;
export const SESSION_STATES = ["running", "needs_input", "review", "done", "failed", "cancelled"] as const;
export const RUN_RESULTS = ["completed", "failed", "cancelled"] as const;

const MAX_VALUES = 50;
const MAX_HOURS = 720;
const references = z.array(reference).max(MAX_VALUES);
/** Columns by id, name or category, or priorities by name. */
const valuesOfField = z.array(referenceOrNumber).max(MAX_VALUES);

/** Filters of the issue list. A schedule with filters runs once for each issue that they match. */
export type Filters = IssueFilter;

const parameters = {
  from: valuesOfField,
  to: valuesOfField,
  user_id: reference,
  by: choice(COMMENT_AUTHORS),
  fields: references,
  label_ids: references,
  hours_before: z.number().int().min(1).max(MAX_HOURS),
  form_id: reference,
  states: z.array(choice(SESSION_STATES)).max(SESSION_STATES.length),
  workflow_id: reference,
  statuses: z.array(choice(RUN_RESULTS)).max(RUN_RESULTS.length),
  cron: line(1, 100),
  timezone: line(1, 100),
  filters: IssueFilter,
};
export type Parameter = keyof typeof parameters;

/** The parameters that each trigger takes. */
export const TRIGGERS = {
  "issue.created": [],
  "issue.status_changed": ["from", "to"],
  "issue.priority_changed": ["from", "to"],
  "issue.assigned": ["user_id"],
  "issue.unassigned": ["user_id"],
  "comment.added": ["by"],
  "issue.updated": ["fields"],
  "issue.archived": [],
  "issue.labelled": ["label_ids"],
  "issue.unblocked": [],
  "issue.overdue": [],
  "issue.due_soon": ["hours_before"],
  "sprint.started": [],
  "sprint.completed": [],
  "release.released": [],
  "milestone.completed": [],
  "form.submitted": ["form_id"],
  "agent_session.state_changed": ["states"],
  "workflow_run.finished": ["workflow_id", "statuses"],
  schedule: ["cron", "timezone", "filters"],
} as const satisfies Record<string, readonly Parameter[]>;

export type Trigger = keyof typeof TRIGGERS;
/** The scope that reads what starts an automation. Texts may contain it. */
export const SCOPE_OF_TRIGGER: Record<Trigger, Scope> = {
  "issue.created": "issues:read",
  "issue.status_changed": "issues:read",
  "issue.priority_changed": "issues:read",
  "issue.assigned": "issues:read",
  "issue.unassigned": "issues:read",
  "comment.added": "comments:read",
  "issue.updated": "issues:read",
  "issue.archived": "issues:read",
  "issue.labelled": "issues:read",
  "issue.unblocked": "issues:read",
  "issue.overdue": "issues:read",
  "issue.due_soon": "issues:read",
  "sprint.started": "projects:read",
  "sprint.completed": "projects:read",
  "release.released": "projects:read",
  "milestone.completed": "projects:read",
  "form.submitted": "forms:read",
  "agent_session.state_changed": "agents:read",
  "workflow_run.finished": "workflows:read",
  schedule: "issues:read",
};

export const TRIGGER_NAMES = Object.keys(TRIGGERS) as [Trigger, ...Trigger[]];

/** The parameters of all triggers. `config.ts` checks that the trigger takes them. */
export const TriggerConfigInput = inputPart(aboutTriggerConfig, parameters).partial();
/** Parameters of a trigger, with ids for what they name. Only those that are set. */
export type TriggerConfig = z.output<typeof TriggerConfigInput>;

const texts = z.array(z.string());

export const TriggerConfigView = part(aboutTriggerConfig, {
  from: texts,
  to: texts,
  user_id: id,
  by: z.enum(COMMENT_AUTHORS),
  fields: texts,
  label_ids: z.array(id),
  hours_before: z.number().int(),
  form_id: id,
  states: z.array(z.enum(SESSION_STATES)),
  workflow_id: id,
  statuses: z.array(z.enum(RUN_RESULTS)),
  cron: z.string(),
  timezone: z.string(),
  filters: IssueFilter,
}).partial();
