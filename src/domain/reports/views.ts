import { z } from "zod";
import { CATEGORIES, ISSUE_TYPES, PRIORITIES } from "../issues/rows.ts";
import { SPRINT_STATUSES } from "../planning/entities.ts";
import { id, timestamp } from "../wire.ts";

/** The shapes of the seven reports. The order of a row's fields is that of its table's columns. */

export const REPORTS = [
  "velocity",
  "burndown",
  "cycle-time",
  "throughput",
  "status-breakdown",
  "type-breakdown",
  "workload",
] as const;
export type ReportName = (typeof REPORTS)[number];

export const UNITS = ["points", "minutes", "issues"] as const;
export type Unit = (typeof UNITS)[number];

const count = z.number().int();
const amount = z.number();
const unit = z.enum(UNITS).meta({ description: "What the project estimates in; a missing estimate counts 0" });
const day = z.string().meta({ format: "date", description: "UTC" });
const hours = z.number().nullable();
const percent = z.number().meta({ description: "With one decimal" });

const VelocityBar = z.object({
  sprint_id: id,
  sprint_name: z.string(),
  status: z.enum(SPRINT_STATUSES),
  start_at: timestamp.nullable(),
  end_at: timestamp.nullable(),
  committed: amount.meta({ description: "In the unit, when the sprint started" }),
  completed: amount.meta({ description: "In the unit: done when the sprint was completed, or by now" }),
  committed_issues: count,
  committed_points: count,
  added_issues: count.meta({ description: "In the sprint at its end, or now, and not when it started" }),
  removed_issues: count.meta({ description: "In the sprint when it started, and not at its end, or now" }),
  completed_issues: count,
  completed_points: count,
  carried_over_issues: count.meta({ description: "Open when the sprint was completed" }),
});

const BurndownPoint = z.object({
  date: day,
  scope: amount.nullable().meta({ description: "In the unit, at the end of the day; null on days to come" }),
  completed: amount.nullable(),
  remaining: amount.nullable().meta({ description: "Of open issues: failed and cancelled ones are in scope alone" }),
  ideal: amount,
  scope_issues: count.nullable(),
  completed_issues: count.nullable(),
  remaining_issues: count.nullable(),
  scope_points: count.nullable(),
  completed_points: count.nullable(),
  remaining_points: count.nullable(),
});
export type BurndownPoint = z.output<typeof BurndownPoint>;

const CycleTimeIssue = z.object({
  issue_key: z.string(),
  title: z.string(),
  type: z.enum(ISSUE_TYPES),
  priority: z.enum(PRIORITIES),
  assignee_id: id.nullable(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  resolved_at: timestamp,
  cycle_hours: hours.meta({ description: "From started to resolved; null if never started" }),
  lead_hours: z.number().meta({ description: "From created to resolved" }),
});

const Bucket = z.object({ label: z.string(), min_days: count, max_days: count.nullable(), count });

const ThroughputWeek = z.object({
  week_start: day,
  week_end: day,
  created: count,
  resolved: count,
  done: count,
  failed: count,
  cancelled: count,
  net: count.meta({ description: "Created less resolved" }),
  done_points: count,
});
export type ThroughputWeek = z.output<typeof ThroughputWeek>;

const StatusSlice = z.object({
  status_id: id,
  status_name: z.string(),
  category: z.enum(CATEGORIES),
  color: z.string(),
  count,
  points: count,
  percent,
  avg_age_days: z.number().meta({ description: "Since the issues were made; 0 where there are none" }),
});

const TypeSlice = z.object({
  type: z.enum(ISSUE_TYPES),
  count,
  todo: count.meta({ description: "In backlog or todo" }),
  in_progress: count.meta({ description: "In progress or in review" }),
  done: count,
  failed: count,
  cancelled: count,
  points: count,
  percent,
});

const WorkloadRow = z.object({
  assignee_id: id.nullable(),
  assignee_name: z.string(),
  assignee_kind: z.enum(["person", "agent", "none"]).meta({ description: "none: issues of nobody" }),
  open: count,
  in_progress: count.meta({ description: "In progress or in review" }),
  overdue: count,
  points: count,
  estimate_minutes: count,
  spent_minutes: count,
});

const Velocity = z.object({
  unit,
  average: amount.meta({ description: "Of what the completed sprints among these completed" }),
  average_3: amount.meta({ description: "The same of the last three" }),
  bars: z.array(VelocityBar).meta({ description: "The last 12 active or completed sprints, oldest first" }),
});
const Burndown = z.object({
  sprint_id: id,
  sprint_name: z.string(),
  start_at: timestamp.nullable(),
  end_at: timestamp.nullable(),
  unit,
  points: z.array(BurndownPoint).meta({ description: "A point a day, at most 366" }),
});
const CycleTime = z.object({
  count,
  average_hours: hours,
  average_lead_hours: hours,
  percentiles: z.object({ p50: hours, p75: hours, p85: hours, p95: hours }).meta({ description: "Of cycle times" }),
  buckets: z.array(Bucket).meta({ description: "Cycle times by days" }),
  issues: z
    .array(CycleTimeIssue)
    .meta({ description: "Done in the last 90 days, latest first; at most the last 10,000" }),
});
const Throughput = z.object({
  average_resolved: z.number().meta({ description: "A week" }),
  total_created: count,
  total_resolved: count,
  weeks: z.array(ThroughputWeek).meta({ description: "The last 12 ISO weeks, this one included, oldest first" }),
});
const StatusBreakdown = z.object({
  total: count,
  total_points: count,
  slices: z.array(StatusSlice).meta({ description: "In the order of the board" }),
});
const TypeBreakdown = z.object({ total: count, slices: z.array(TypeSlice) });
const Workload = z.object({
  open_total: count.meta({ description: "Each open issue once" }),
  unassigned: count,
  rows: z.array(WorkloadRow).meta({ description: "An issue counts for each of its assignees" }),
});

const report = <const Name extends ReportName, Data extends z.ZodType>(name: Name, data: Data) =>
  z.object({
    report: z.literal(name),
    data,
    project_key: z.string(),
    generated_at: timestamp,
    params: z.object({}),
  });

const noSprints = { description: "Null when the project has no sprints" };

export const ReportView = z
  .discriminatedUnion("report", [
    report("velocity", Velocity.nullable().meta(noSprints)),
    report("burndown", Burndown.nullable().meta(noSprints)),
    report("cycle-time", CycleTime),
    report("throughput", Throughput),
    report("status-breakdown", StatusBreakdown),
    report("type-breakdown", TypeBreakdown),
    report("workload", Workload),
  ])
  .meta({ id: "Report" });
export type ReportView = z.output<typeof ReportView>;

/** What each report holds, without what it may have null instead. */
export type DataOf = {
  velocity: z.output<typeof Velocity>;
  burndown: z.output<typeof Burndown>;
  "cycle-time": z.output<typeof CycleTime>;
  throughput: z.output<typeof Throughput>;
  "status-breakdown": z.output<typeof StatusBreakdown>;
  "type-breakdown": z.output<typeof TypeBreakdown>;
  workload: z.output<typeof Workload>;
};

/** The list that a report is as a table, and its columns. */
export const TABLES: { [Name in ReportName]: { rows: keyof DataOf[Name]; columns: string[] } } = {
  velocity: { rows: "bars", columns: Object.keys(VelocityBar.shape) },
  burndown: { rows: "points", columns: Object.keys(BurndownPoint.shape) },
  "cycle-time": { rows: "issues", columns: Object.keys(CycleTimeIssue.shape) },
  throughput: { rows: "weeks", columns: Object.keys(ThroughputWeek.shape) },
  "status-breakdown": { rows: "slices", columns: Object.keys(StatusSlice.shape) },
  "type-breakdown": { rows: "slices", columns: Object.keys(TypeSlice.shape) },
  workload: { rows: "rows", columns: Object.keys(WorkloadRow.shape) },
};
