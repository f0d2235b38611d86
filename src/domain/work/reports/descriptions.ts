import { aboutChartWidth } from "../../kernel/chart-width.ts";
import { countOf, SAMPLE, userId } from "../../kernel/described.ts";

/** Descriptions of the figures of reports, for the API description. "The unit" is the unit in which the project estimates. */

export const aboutReport = {
  report: ["Which report it is; it decides the shape of `data`."],
  data: ["Figures of the report. `null` if the report is about sprints and the project has none."],
  project_key: ["The project whose issues are counted.", "WEB"],
  generated_at: ["When the report was made.", "2026-01-16T14:05:12.480Z"],
  params: [
    "Parameters that the call sent, with the sprint as an id, and the time zone whose days count.",
    { tz: "UTC" },
  ],
} as const;

export const aboutParams = {
  from: ["First day that counts.", "2026-01-01"],
  to: ["Last day that counts.", "2026-03-31"],
  sprint: ["The sprint that the report was asked for.", SAMPLE.sprint],
  interval: ["Length of the periods.", "month"],
  tz: [
    "The time zone whose days, weeks and months count: that of the call, else that of the workspace.",
    "America/New_York",
  ],
} as const;

export const aboutReportQuery = {
  format: ["`csv` answers the rows of the report as a file.", "json"],
  bom: ["Whether a CSV file begins with the mark of UTF-8, which spreadsheets need. `false` leaves it out.", "true"],
  from: [
    "First day that counts, for `velocity` (sprints that began then), `cycle-time` and `throughput`. Default: 90 days before `to` for `cycle-time`, twelve periods for `throughput`, the last 12 sprints for `velocity`.",
    "2026-01-01",
  ],
  to: ["Last day that counts, for the same reports. Default: today.", "2026-03-31"],
  sprint: [
    "Id or name of a sprint, or `active`: the sprint of a `burndown`, also of one that is over. `status-breakdown`, `type-breakdown` and `workload` count only the sprint's issues.",
    "Sprint 12",
  ],
  interval: [
    "Length of the periods of `throughput` (default: `week`), or of `periods` in `cycle-time`: `day`, `week` (from Monday) or `month`, at most 366 of them. `from` and `to` cut the first and the last one.",
    "month",
  ],
  tz: [
    "Time zone (IANA) whose days, weeks and months count. Default: the `timezone` of the workspace.",
    "America/New_York",
  ],
  width: aboutChartWidth,
} as const;

const sprint = {
  sprint_id: ["The sprint that the numbers are about.", SAMPLE.sprint],
  sprint_name: ["The sprint's present name, for the legend of a chart.", "Sprint 12"],
  start_at: ["Planned start of the sprint. `null` if not planned.", "2026-01-05T00:00:00.000Z"],
  end_at: ["Planned end of the sprint. `null` if not planned.", "2026-01-18T00:00:00.000Z"],
} as const;

const unit = ["What the project estimates in. Issues without an estimate count 0.", "points"] as const;

export const aboutVelocity = {
  unit,
  average: ["Average of `completed` over the completed sprints of the report.", 23.5],
  average_3: ["Average of `completed` over the last three completed sprints.", 25],
  bars: ["Active or completed sprints, oldest first: those that began in the range, or else the last 12."],
} as const;

export const aboutVelocityBar = {
  ...sprint,
  status: ["Whether the sprint still runs: numbers of an `active` one are as of now.", "completed"],
  committed: ["Estimates of the issues in the sprint when it started, in the unit.", 30],
  completed: ["Estimates of the issues done in the sprint, in the unit; for an active sprint, so far.", 24],
  committed_issues: countOf("Issues in the sprint when it started.", 10),
  committed_points: countOf("Story points in the sprint when it started.", 30),
  added_issues: countOf("Issues that are in the sprint at its end, or now, but were not when it started.", 2),
  removed_issues: countOf("Issues that were in the sprint when it started, but are not at its end, or now.", 1),
  completed_issues: countOf("Issues done in the sprint.", 8),
  completed_points: countOf("Story points of the issues done in the sprint.", 24),
  carried_over_issues: countOf("Issues that were still open when the sprint was completed."),
} as const;

export const aboutBurndown = {
  ...sprint,
  unit,
  points: ["One point per day of the sprint, at most 366."],
} as const;

export const aboutBurndownPoint = {
  date: ["Day in the time zone of the report, as `YYYY-MM-DD`.", "2026-01-12"],
  scope: ["Estimates of all issues at the end of the day, in the unit. `null` for days to come.", 30],
  completed: ["Estimates of the issues done, in the unit. `null` for days to come.", 12],
  remaining: [
    "Estimates of the issues still open, in the unit, without failed and cancelled ones. `null` for days to come.",
    18,
  ],
  ideal: ["What would remain if work went on evenly, in the unit.", 15],
  scope_issues: countOf("Number of issues. `null` for days to come.", 10),
  completed_issues: countOf("Issues done. `null` for days to come.", 4),
  remaining_issues: countOf("Issues still open. `null` for days to come.", 6),
  scope_points: countOf("Story points of all issues. `null` for days to come.", 30),
  completed_points: countOf("Story points of the issues done. `null` for days to come.", 12),
  remaining_points: countOf("Story points of the issues still open. `null` for days to come.", 18),
} as const;

export const aboutCycleTime = {
  count: countOf("Issues done in the range, or else in the last 90 days.", 42),
  average_hours: ["Average cycle time in hours. `null` if there is none.", 30.5],
  average_lead_hours: ["Average lead time in hours. `null` if there is none.", 96.2],
  percentiles: ["Percentiles of the cycle times."],
  buckets: ["Number of issues by cycle time in days."],
  issues: ["Those issues, latest first; at most 10,000."],
  periods: ["Figures of each period, oldest first. Empty without `interval`."],
} as const;

export const aboutCyclePeriod = {
  start: ["First day of the period, as `YYYY-MM-DD`.", "2026-01-01"],
  end: ["Last day of the period, as `YYYY-MM-DD`.", "2026-01-31"],
  count: countOf("Issues done in the period.", 14),
  average_hours: ["Average cycle time in hours. `null` if there is none.", 30.5],
  average_lead_hours: ["Average lead time in hours. `null` if there is none.", 96.2],
  p50: ["Cycle time that half of the issues do not exceed, in hours. `null` if there is none.", 22],
  p85: ["Cycle time that 85 % of the issues do not exceed, in hours. `null` if there is none.", 62.5],
} as const;

export const aboutPercentiles = {
  p50: ["Cycle time that half of the issues do not exceed, in hours. `null` if there is none.", 22],
  p75: ["Cycle time that 75 % of the issues do not exceed, in hours. `null` if there is none.", 40],
  p85: ["Cycle time that 85 % of the issues do not exceed, in hours. `null` if there is none.", 62.5],
  p95: ["Cycle time that 95 % of the issues do not exceed, in hours. `null` if there is none.", 110],
} as const;

export const aboutBucket = {
  label: ["Range in days.", "1–3"],
  min_days: countOf("Shortest cycle time of the range, in days.", 1),
  max_days: countOf("Cycle time that the range ends before, in days. `null` for no end.", 3),
  count: countOf("How many issues that are not archived it has.", 12),
} as const;

export const aboutCycleTimeIssue = {
  issue_key: ["The issue that was done, as `KEY-N`.", "WEB-1"],
  title: ["Title of the issue, as of now.", "Sign-in fails on Safari"],
  type: ["What kind of work it was.", "bug"],
  priority: ["How urgent it was when it was last changed.", "high"],
  assignee_id: userId("User id of the first assignee. `null` if the issue is unassigned."),
  assignees: ["User ids of all assignees.", [SAMPLE.user]],
  assignee_names: ["Names of all assignees, in the same order.", ["Ada Lovelace"]],
  created_at: ["When the issue was created.", "2026-01-12T09:30:00.000Z"],
  started_at: ["When the issue first went into progress. `null` if never.", "2026-01-14T09:30:00.000Z"],
  resolved_at: ["When the issue was done.", "2026-01-15T15:30:00.000Z"],
  cycle_hours: ["Cycle time: hours from started to done. `null` if never started.", 30],
  lead_hours: ["Lead time: hours from created to done.", 78],
} as const;

export const aboutThroughput = {
  average_resolved: ["Average number of issues resolved in a period.", 7.5],
  total_created: countOf("Issues created in all periods.", 96),
  total_resolved: countOf("Issues resolved in all periods.", 90),
  weeks: ["The periods, oldest first, including those without issues. By default the last 12 ISO weeks with this one."],
} as const;

export const aboutWeek = {
  week_start: ["First day of the period, a Monday for weeks, as `YYYY-MM-DD`.", "2026-01-12"],
  week_end: ["Last day of the period, as `YYYY-MM-DD`.", "2026-01-18"],
  created: countOf("How many issues were created in that time, whatever became of them.", 9),
  resolved: countOf("Issues resolved: done, failed or cancelled.", 8),
  done: countOf("How many issues were resolved as done in that time.", 7),
  failed: countOf("How many issues were resolved as failed in that time.", 0),
  cancelled: countOf("How many issues were resolved as cancelled in that time.", 1),
  net: countOf("Issues created less issues resolved.", 1),
  done_points: countOf("Story points of the issues done.", 21),
} as const;

const share = ["Share of all issues, in percent with one decimal.", 23.8] as const;

export const aboutStatusBreakdown = {
  total: countOf("Number of issues, without archived ones.", 21),
  total_points: countOf("Story points of all issues.", 64),
  slices: ["One entry per column, in the order of the board."],
} as const;

export const aboutStatusSlice = {
  status_id: ["The column that is counted. Lists take it as `status=`.", SAMPLE.status],
  status_name: ["The column's present name.", "In Progress"],
  category: ["Which category the column belongs to; reports on work that is done go by it.", "in_progress"],
  color: ["Color of the column as `#RRGGBB`.", "#3b82f6"],
  count: countOf("How many issues that are not archived it has.", 5),
  points: countOf("Story points of the issues.", 13),
  percent: share,
  avg_age_days: ["Average number of days since the issues were created. 0 if there are none.", 12.5],
} as const;

export const aboutTypeBreakdown = {
  total: countOf("Number of issues, without archived ones.", 21),
  slices: ["One entry per issue type."],
} as const;

export const aboutTypeSlice = {
  type: ["The type that is counted. Every type has a slice.", "bug"],
  count: countOf("How many issues that are not archived it has.", 5),
  todo: countOf("Issues in category `backlog` or `todo`.", 2),
  in_progress: countOf("Issues in category `in_progress` or `in_review`.", 1),
  done: countOf("Issues in category `done`.", 2),
  failed: countOf("Issues in category `failed`.", 0),
  cancelled: countOf("Issues in category `cancelled`.", 0),
  points: countOf("Story points of the issues.", 13),
  percent: share,
} as const;

export const aboutWorkload = {
  open_total: countOf("Number of open issues, each counted once.", 14),
  unassigned: countOf("Open issues that nobody is assigned to.", 2),
  rows: ["One entry per assignee. An issue counts for each of its assignees."],
} as const;

export const aboutWorkloadRow = {
  assignee_id: userId("User id of the assignee. `null` for issues that nobody is assigned to."),
  assignee_name: ["The assignee's name, for people.", "Ada Lovelace"],
  assignee_kind: ["Kind of the assignee. `none` for issues that nobody is assigned to."],
  open: countOf("How many assigned issues are not closed.", 6),
  in_progress: countOf("Open issues in category `in_progress` or `in_review`.", 2),
  overdue: countOf("Open issues whose due date has passed.", 1),
  points: countOf("Story points of the open issues.", 13),
  estimate_minutes: countOf("Estimated minutes of the open issues.", 960),
  spent_minutes: countOf("Minutes spent on the open issues.", 240),
} as const;
