import { countOf, dayOfDate, idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of goals, for the API description. */

const date = (description: string, example: string) => [`${description} \`null\` if not set.`, example] as const;

const goal = {
  title: ["What is to be reached, in a sentence for people.", "Customers can pay within a minute"],
  description_md: [
    "What the goal means and how to tell that it is reached, as Markdown. `null` if nobody said.",
    "Fewer steps, **no waiting**.",
  ],
  portfolio_id: ["Id of the portfolio that the goal belongs to. `null` for a goal of the company.", SAMPLE.portfolio],
  parent_goal_id: [
    "Id of the goal above. `null` if there is none. Goals have at most 10 levels.",
    "0198c2a4-0c10-7c21-8e11-5f1d2b6c7a99",
  ],
  status_override: [
    "Status that a person has set. `null`: the status follows from the progress and the dates.",
    "at_risk",
  ],
  weight: ["Weight of the goal in the progress of the goal above. Above 0, at most 999.", 1],
  progress_override: [
    "Progress in percent (0 to 100) that a person has set. `null`: it follows from key results and goals below.",
    null,
  ],
} as const;

export const progressPct = [
  "Progress in whole percent. 100 only if all is done, 0 only if nothing is. `null` if nothing is measured.",
  40,
] as const;

const title = ["What the input measures or wants to reach, for people.", "Checkout takes 40 s"] as const;

export const aboutGoal = {
  ...goal,
  id: idOf("goal", "goal"),
  workspace_id: ["The workspace whose members pursue the goal.", SAMPLE.workspace],
  owner_user_id: userId("User id of the person or agent who is responsible for the goal. `null` if nobody is."),
  cycle_start_at: date("When work towards the goal starts.", "2030-01-01T00:00:00.000Z"),
  cycle_start_on: dayOfDate("cycle_start_at", "2030-01-01"),
  cycle_due_at: date("When the goal is due.", "2030-03-31T00:00:00.000Z"),
  cycle_due_on: dayOfDate("cycle_due_at", "2030-03-31"),
  status: [
    "Status: the one in `status_override`, else computed by comparing the progress with the share of the cycle that is over.",
    "on_track",
  ],
  progress_pct: progressPct,
  expected_progress_pct: ["Share of the cycle that is over, in whole percent. `null` if a date is missing.", 45],
  version: [
    "Counts the changes of the goal's own fields, from 1. Send it as `if_version` to change only what you have seen.",
    3,
  ],
  created_by: userId("User id of the person or agent who created the goal."),
  ...timesOf("goal"),
} as const;

export const aboutGoalInput = {
  ...goal,
  owner_user_id: [
    "Who is responsible for the goal: user id, e-mail or `me`. If it is missing on creation: the caller. `null`: nobody.",
    "me",
  ],
  cycle_start_at: [
    "When work towards the goal starts: `YYYY-MM-DD` (a whole day) or a date-time with offset. `null` clears it.",
    "2030-01-01",
  ],
  cycle_start_on: dayOfDate("cycle_start_at", "2030-01-01"),
  cycle_due_at: [
    "When the goal is due, not before the start: `YYYY-MM-DD` (the whole day) or a date-time with offset. `null` clears it.",
    "2030-03-31",
  ],
  cycle_due_on: dayOfDate("cycle_due_at", "2030-03-31"),
} as const;

export const aboutGoalPatch = {
  ...aboutGoalInput,
  if_version: ["`version` of the goal that you have seen. If it has changed since, the call is refused with 409.", 3],
} as const;

export const aboutGoalDetail = {
  portfolio_name: ["Name of the goal's portfolio. `null` if it has none.", "Payments"],
  parent_title: ["Title of the goal above. `null` if there is none.", "Customers stay with us"],
  key_results: ["The goal's key results, newest first."],
  children: ["The goals directly below, newest first; at most 1,000."],
  watcher_count: countOf("Number of people and agents who are told about changes of the status.", 2),
  rollup: ["How the progress was computed."],
} as const;

export const aboutKeyResultOfGoal = {
  id: idOf("key result", "keyResult"),
  title,
  kind: ["Whether a person reports the value (`manual`) or issues are counted (`auto`).", "manual"],
  unit: ["Unit of the values. `null` if not set.", "s"],
  start_value: ["Value at the start. `null` counts as 0.", 90],
  target_value: ["Value to reach. `null` if not set.", 40],
  current_value: ["Value now. `null` if not known.", 70],
  weight: ["Weight in the goal's progress.", 1],
  scope: ["Which issues an automatic key result counts. `null`: all of the goal's portfolio or workspace.", null],
  progress_pct: progressPct,
} as const;

export const aboutChild = {
  id: idOf("goal", "goal"),
  title,
  progress_pct: progressPct,
  status: ["How the goal stands: the override if one is set, else derived from progress and time.", "on_track"],
} as const;

export const aboutRollup = {
  formula: ["How the inputs are combined.", "sum(weight × progress) / sum(weight)"],
  inputs: ["Key results and goals below, with their weights. Those without a progress do not count."],
} as const;

export const aboutRollupInput = {
  kind: ["What the input is.", "key_result"],
  id: idOf("key result or goal", "keyResult"),
  title,
  weight: ["How much the input counts: the mean of all inputs is taken by weight.", 1],
  progress_pct: progressPct,
} as const;

export const aboutGoalDeleted = {
  id: ["The goal that is gone.", SAMPLE.goal],
  deleted: ["Always `true`."],
  orphaned_goal_count: countOf("Number of goals that were directly below and have no parent now.", 0),
} as const;

export const aboutGoalQuery = {
  portfolio_id: ["Only goals of this portfolio. Not together with `scope`.", SAMPLE.portfolio],
  scope: ["`company`: only goals without a portfolio. Not together with `portfolio_id`.", "company"],
  parent_goal_id: ["Only goals directly below this goal.", SAMPLE.goal],
} as const;
