import { dayOfDate, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of key results, for the API description. */

const ofIssues = (what: string, sample: string) => [`Issues ${what}. Empty: all.`, [sample]] as const;

export const aboutScope = {
  project_ids: [
    "Issues of these projects. Empty: the projects of the goal's portfolio or, without one, all projects of the workspace. Projects that only their members see never count.",
    [SAMPLE.project],
  ],
  issue_types: ["Issues of these types. Empty: all.", ["story", "bug"]],
  label_ids: ofIssues("with one of these labels", SAMPLE.label),
  assignee_id: ["Issues that are assigned to this person or agent. `null`: all.", null],
  milestone_ids: ofIssues("of these milestones", SAMPLE.milestone),
  sprint_ids: ofIssues("of these sprints", SAMPLE.sprint),
  release_ids: ofIssues("of these releases", SAMPLE.release),
  parent_ids: ofIssues("with one of these parents", SAMPLE.issue),
} as const;

const keyResult = {
  title: ["What is measured, in a sentence for people.", "Checkout takes 40 s"],
  kind: ["`manual`: somebody reports `current_value`. `auto`: the issues in `scope` are counted.", "manual"],
  unit: ["Unit of the values, e.g. `%`, `USD` or `users`. `null` if not set.", "s"],
  start_value: ["Value at the start. `null` counts as 0, and is always stored for `auto`.", 90],
  target_value: [
    "Value to reach; it may be below the start. `null` if not set: nothing is measured. Always `null` for `auto`.",
    40,
  ],
  current_value: ["Value now. `null` if not known: nothing is measured. Always `null` for `auto`.", 70],
  weight: ["Weight in the goal's progress. Above 0, at most 999.", 1],
  scope: [
    "Which issues an automatic key result counts. `null`: all issues of the goal's portfolio or, without one, of the workspace. Ignored for `manual`.",
    null,
  ],
  measure: ["What is counted for `auto`: `issues`, or their story `points`.", "issues"],
  due_at: ["When the key result is due. `null` if not set.", "2030-03-31T00:00:00.000Z"],
  due_on: dayOfDate("due_at", "2030-03-31"),
} as const;

export const aboutKeyResult = {
  ...keyResult,
  id: idOf("key result", "keyResult"),
  goal_id: ["Id of the goal that the key result belongs to.", SAMPLE.goal],
  progress_pct: [
    "Progress in whole percent. 100 only if the target is reached, 0 only if nothing is. `null` if nothing is measured.",
    40,
  ],
  owner_user_id: userId("User id of the person or agent who is responsible for it. `null` if nobody is."),
  completed: [
    "Issues or points in category `done`. `null` for `manual`, and for `auto` until they were counted.",
    null,
  ],
  total: ["Issues or points, without cancelled and archived issues. `null` as for `completed`.", null],
  updated_value_at: [
    "When `current_value` was last set or, for `auto`, when the counts last changed. `null` if never.",
    "2026-01-16T14:05:12.480Z",
  ],
  ...timesOf("key result"),
} as const;

export const aboutKeyResultInput = {
  ...keyResult,
  due_at: [
    "When the key result is due: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it.",
    "2030-03-31",
  ],
  owner_user_id: ["Who is responsible for it: user id, e-mail or `me`. `null`: nobody.", "me"],
} as const;

export const aboutKeyResultPatch = {
  ...aboutKeyResultInput,
  kind: ["Cannot be changed.", "manual"],
} as const;
