import { countOf, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of automations and their runs, for the API description. */

export const aboutTriggerConfig = {
  from: [
    "For `issue.status_changed`: categories, ids or names of columns that the issue leaves. For `issue.priority_changed`: priorities that it had.",
    ["todo"],
  ],
  to: [
    "For `issue.status_changed`: categories, ids or names of columns that the issue moves to. For `issue.priority_changed`: its new priorities.",
    ["done"],
  ],
  user_id: ["For `issue.assigned` and `issue.unassigned`: the person or agent, by id, e-mail or `me`.", SAMPLE.user],
  by: ["For `comment.added`: whose comments count. If it is missing: `any`."],
  fields: ["For `issue.updated`: the fields of which at least one must have changed.", ["due_at", "title"]],
  label_ids: ["For `issue.labelled`: the labels of which at least one must have been added.", [SAMPLE.label]],
  hours_before: [
    "For `issue.due_soon`: how many hours before the due date the automation runs. If it is missing: 24.",
    48,
  ],
  form_id: ["For `form.submitted`: the form.", SAMPLE.form],
  states: ["For `agent_session.state_changed`: the new states.", ["needs_input"]],
  workflow_id: ["For `workflow_run.finished`: the workflow.", SAMPLE.other],
  statuses: ["For `workflow_run.finished`: how the run ended.", ["failed"]],
  cron: [
    "For `schedule`, where it is required: minute, hour, day of the month, month and day of the week. Two runs are at least 15 minutes apart.",
    "0 9 * * mon-fri",
  ],
  timezone: [
    "For `schedule`: the time zone of `cron` (IANA). If it is missing: the one of the workspace.",
    "Europe/Berlin",
  ],
  filters: [
    "For `schedule`: the automation runs once for each issue of its project that matches, at most 200. Needs a project. Without it, the automation runs once and has no issue.",
    { status: "in_review", assignee: "none" },
  ],
} as const;

const rule = {
  name: [
    "What people see as the automation's name, also in histories of issues that it changed.",
    "Triage urgent bugs",
  ],
  description: ["What the automation is for. `null` if nothing is said.", "Urgent bugs go to whoever is on duty."],
  trigger: ["What starts the automation."],
  trigger_config: ["Parameters of the trigger. Each trigger takes only its own.", {}],
  conditions: [
    "What must apply to the issue and the event. `null`: nothing, the automation always runs.",
    { match: "all", rules: [{ field: "type", op: "is", value: "bug" }] },
  ],
  enabled: ["Whether the automation runs."],
  allow_chaining: [
    "Whether changes that were made by automations, workflows and woken agents start the automation too.",
  ],
  on_error: ["Whether the run stops at the first action that fails, or continues with the next one."],
} as const;

export const aboutAutomationInput = {
  ...rule,
  project_id: [
    "Project whose issues start the automation: id, key or slug. `null`: all projects. A rule `project is …` directly in conditions with `match` `all` sets it too.",
    null,
  ],
  actions: ["What the automation does, in order.", [{ type: "set_priority", priority: "critical" }]],
} as const;

export const aboutAutomation = {
  ...rule,
  id: idOf("automation"),
  project_id: ["Id of the project whose issues start the automation. `null`: all projects.", SAMPLE.project],
  actions: [
    "What the automation does, in order. Each action has its `type` and the parameters of this type, as they were sent.",
    [{ type: "set_priority", priority: "critical", target: "self" }],
  ],
  disabled_reason: [
    "Why the automation does not run: disabled by a `user`, ten errors in a row (`failing`), three loops in an hour (`loop`), the limit of the `plan`, or its creator lacks the `rights`. `null` while it is enabled.",
  ],
  created_by: userId(
    "User id of the person with whose rights the automation acts: who created it, or an admin who enabled it again after that person had lost the rights.",
  ),
  next_run_at: ["For `schedule`: when the automation runs next. `null` for other triggers, and while it is disabled."],
  last_run_at: ["When the automation last ran. `null` if it never has."],
  last_skipped: [
    "The last time the automation was started by a change that another automation, a workflow or a woken agent had made, and did not run. `null` if it never happened.",
  ],
  run_count: countOf("How often the automation ran, also in vain, since it was created.", 42),
  failure_count: countOf("Number of runs that ended with `error` since `enabled: true` was last sent.", 1),
  ...timesOf("automation"),
} as const;

export const aboutSkipped = {
  at: ["When the automation was skipped."],
  reason: [
    "Why the automation was skipped.",
    "An automation made the change, and this automation does not react to those. Set allow_chaining if it should.",
  ],
} as const;

export const aboutAction = {
  type: ["What the action does."],
} as const;

export const aboutDryRunInput = {
  issue_key: [
    "Key or id of the issue to try. `null`: none, as for sprints, milestones, releases and schedules without filters.",
    "WEB-12",
  ],
} as const;

export const aboutDryRun = {
  automation_id: idOf("automation"),
  issue_key: ["Key of the issue. `null` if none was sent.", "WEB-12"],
  matched: [
    "Whether the project and the conditions apply. The change counts as yours, and as one that changed no field: rules with `changed`, `from_status` and `to_status` do not apply.",
  ],
  failed: ["The first rule that does not apply. `null` if all do."],
  skipped_reason: ["Why the automation would not run now although it matches. `null` if it would.", null],
  actions: ["What the actions would do, in order and for each of their issues. Each is tried alone, and undone."],
  omitted: countOf("Number of issues that were not tried, because a dry run tries at most 50.", 0),
  last_skipped: aboutAutomation.last_skipped,
} as const;

export const aboutFailed = {
  path: ["JSON pointer of the rule in the automation.", "/conditions/rules/0"],
  message: ["Why the rule does not apply.", "type is task. Wanted: is bug."],
} as const;

export const aboutWould = {
  type: ["What the action does.", "set_priority"],
  issue_key: ["Key of the issue that would change. `null` if the action changes none, or you cannot see it.", "WEB-12"],
  would: ["What the action would do, in a sentence.", "Set the priority to critical"],
  ok: ["Whether the action would succeed, with the present rights of the automation's creator."],
  detail: [
    "What the action would change, or why it would fail. `null` if there is nothing to say, or you cannot see the issue.",
    "Priority: critical.",
  ],
  action: ["The action with values in the place of paths."],
} as const;
