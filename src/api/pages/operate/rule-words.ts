import type { AutomationView } from "../../../domain/automation/automations/view.ts";
import type { Condition } from "../../../domain/automation/conditions/inputs.ts";
import { isGroup } from "../../../domain/automation/conditions/inputs.ts";
import { counted } from "../../../domain/kernel/counted.ts";
import { own } from "../../../domain/kernel/own.ts";
import { words } from "../kit/words.ts";

/** An automation as a sentence: when, if, then. */

/** Names of people, agents, projects, and what else rules name, by id. */
export type Names = ReadonlyMap<string, string>;

const TRIGGERS: Record<AutomationView["trigger"], string> = {
  "issue.created": "an issue is created",
  "issue.status_changed": "an issue changes its column",
  "issue.priority_changed": "an issue changes its priority",
  "issue.assigned": "an issue is assigned",
  "issue.unassigned": "an issue is unassigned",
  "comment.added": "somebody comments on an issue",
  "issue.updated": "an issue is changed",
  "issue.archived": "an issue is archived",
  "issue.labelled": "an issue gets a label",
  "issue.unblocked": "an issue is no longer blocked",
  "issue.overdue": "an issue is overdue",
  "issue.due_soon": "an issue is due soon",
  "sprint.started": "a sprint starts",
  "sprint.completed": "a sprint is completed",
  "release.released": "a release is released",
  "milestone.completed": "a milestone is completed",
  "form.submitted": "a form is answered",
  "agent_session.state_changed": "an agent's session changes its state",
  "workflow_run.finished": "a workflow run ends",
  schedule: "its time has come",
};

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);

function value(one: unknown, names: Names): string {
  if (Array.isArray(one)) return one.map((item) => value(item, names)).join(" or ");
  if (one !== null && typeof one === "object")
    return Object.entries(one)
      .map(([name, of]) => `${name} ${value(of, names)}`)
      .join(", ");
  const text = String(one);
  return names.get(text) ?? (isId(text) ? "a chosen one" : text.replaceAll("_", " "));
}

const CONFIG: Record<string, (text: string) => string> = {
  from: (text) => `from ${text}`,
  to: (text) => `to ${text}`,
  user_id: (text) => `to ${text}`,
  by: (text) => (text === "any" ? "" : text === "agent" ? "as an agent" : "as a person"),
  hours_before: (text) => `in ${counted(Number(text), "hour")}`,
  cron: (text) => `(${text}`,
  timezone: (text) => `${text})`,
  filters: (text) => `for each issue with ${text}`,
};

/** `When an issue changes its column to done` */
export function whenOf({ trigger, trigger_config: config, project_id }: AutomationView, names: Names): string {
  const more = Object.entries(config).map(([name, of]) => {
    const text = value(of, names);
    return own(CONFIG, name)?.(text) ?? `with ${fieldName(name, names)} ${text}`;
  });
  const where = project_id === null ? "" : `in ${names.get(project_id) ?? "a project"}`;
  return ["When", TRIGGERS[trigger], where, ...more].filter(Boolean).join(" ");
}

const OPERATORS: Record<string, string> = {
  is: "is",
  is_not: "is not",
  is_one_of: "is",
  is_not_one_of: "is not",
  contains: "contains",
  not_contains: "does not contain",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  is_set: "is set",
  is_empty: "is empty",
  changed: "changed",
};

const CUSTOM = "custom_field:";

const fieldName = (field: string, names: Names) =>
  field.startsWith(CUSTOM)
    ? (names.get(field.slice(CUSTOM.length)) ?? "a custom field")
    : field.replace(/_ids?$/, "").replaceAll("_", " ");

function condition(one: Condition, names: Names, inner: boolean): string {
  if (!isGroup(one)) {
    const said = one.value === undefined ? "" : ` ${value(one.value, names)}`;
    return `${fieldName(one.field, names)} ${own(OPERATORS, one.op) ?? one.op}${said}`;
  }
  const all = one.rules.map((rule) => condition(rule, names, true)).join(one.match === "all" ? " and " : " or ");
  return inner && one.rules.length > 1 ? `(${all})` : all;
}

/** `if type is bug and (title contains crash or …)`. Empty without conditions. */
export function ifOf({ conditions }: AutomationView, names: Names): string {
  const text = conditions ? condition(conditions as Condition, names, false) : "";
  return text === "" ? "" : `if ${text}`;
}

/** `Set priority: critical` */
export function thenOf({ actions }: AutomationView, names: Names): string[] {
  return actions.map(({ type, target, ...rest }) => {
    const said = Object.values(rest)
      .filter((one) => one !== null && one !== undefined && one !== "")
      .map((one) => value(one, names))
      .join(", ");
    const of = target && target !== "self" ? ` (of its ${value(target, names)})` : "";
    return `${words(type)}${said ? `: ${said.slice(0, 200)}` : ""}${of}`;
  });
}
