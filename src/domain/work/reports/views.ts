import { z } from "zod";
import { ISSUE_TYPES, PRIORITIES } from "../../access/identity/issue-row.ts";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { CATEGORIES } from "../../kernel/categories.ts";
import { part } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { SPRINT_STATUSES } from "../planning/entities.ts";
import {
  aboutBucket,
  aboutBurndown,
  aboutBurndownPoint,
  aboutCyclePeriod,
  aboutCycleTime,
  aboutCycleTimeIssue,
  aboutParams,
  aboutPercentiles,
  aboutReport,
  aboutStatusBreakdown,
  aboutStatusSlice,
  aboutThroughput,
  aboutTypeBreakdown,
  aboutTypeSlice,
  aboutVelocity,
  aboutVelocityBar,
  aboutWeek,
  aboutWorkload,
  aboutWorkloadRow,
} from "./descriptions.ts";
import { INTERVALS } from "./periods.ts";

/** Views of the seven reports. The order of a row's fields is the order of the table's columns. */

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
const unit = z.enum(UNITS);
const day = z.string().meta({ format: "date" });
const hours = z.number().nullable();
const percent = z.number();

const VelocityBar = part(aboutVelocityBar, {
  sprint_id: id,
  sprint_name: z.string(),
  status: z.enum(SPRINT_STATUSES),
  start_at: timestamp.nullable(),
  end_at: timestamp.nullable(),
  committed: amount,
  completed: amount,
  committed_issues: count,
  committed_points: count,
  added_issues: count,
  removed_issues: count,
  completed_issues: count,
  completed_points: count,
  carried_over_issues: count,
});

const BurndownPoint = part(aboutBurndownPoint, {
  date: day,
  scope: amount.nullable(),
  completed: amount.nullable(),
  remaining: amount.nullable(),
  ideal: amount,
  scope_issues: count.nullable(),
  completed_issues: count.nullable(),
  remaining_issues: count.nullable(),
  scope_points: count.nullable(),
  completed_points: count.nullable(),
  remaining_points: count.nullable(),
});
export type BurndownPoint = z.output<typeof BurndownPoint>;

const CycleTimeIssue = part(aboutCycleTimeIssue, {
  issue_key: z.string(),
  title: z.string(),
  type: z.enum(ISSUE_TYPES),
  priority: z.enum(PRIORITIES),
  assignee_id: id.nullable(),
  assignees: z.array(id),
  assignee_names: z.array(z.string()),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  resolved_at: timestamp,
  cycle_hours: hours,
  lead_hours: z.number(),
});

const Bucket = part(aboutBucket, { label: z.string(), min_days: count, max_days: count.nullable(), count });

const CyclePeriod = part(aboutCyclePeriod, {
  start: day,
  end: day,
  count,
  average_hours: hours,
  average_lead_hours: hours,
  p50: hours,
  p85: hours,
});
export type CyclePeriod = z.output<typeof CyclePeriod>;

const ThroughputWeek = part(aboutWeek, {
  week_start: day,
  week_end: day,
  created: count,
  resolved: count,
  done: count,
  failed: count,
  cancelled: count,
  net: count,
  done_points: count,
});
export type ThroughputWeek = z.output<typeof ThroughputWeek>;

const StatusSlice = part(aboutStatusSlice, {
  status_id: id,
  status_name: z.string(),
  category: z.enum(CATEGORIES),
  color: z.string(),
  count,
  points: count,
  percent,
  avg_age_days: z.number(),
});

const TypeSlice = part(aboutTypeSlice, {
  type: z.enum(ISSUE_TYPES),
  count,
  todo: count,
  in_progress: count,
  done: count,
  failed: count,
  cancelled: count,
  points: count,
  percent,
});

const WorkloadRow = part(aboutWorkloadRow, {
  assignee_id: id.nullable(),
  assignee_name: z.string(),
  assignee_kind: z.enum([...USER_KINDS, "none"]),
  open: count,
  in_progress: count,
  overdue: count,
  points: count,
  estimate_minutes: count,
  spent_minutes: count,
});

const Velocity = part(aboutVelocity, {
  unit,
  average: amount,
  average_3: amount,
  bars: z.array(VelocityBar),
});
const Burndown = part(aboutBurndown, {
  sprint_id: id,
  sprint_name: z.string(),
  start_at: timestamp.nullable(),
  end_at: timestamp.nullable(),
  unit,
  points: z.array(BurndownPoint),
});
const CycleTime = part(aboutCycleTime, {
  count,
  average_hours: hours,
  average_lead_hours: hours,
  percentiles: part(aboutPercentiles, { p50: hours, p75: hours, p85: hours, p95: hours }),
  buckets: z.array(Bucket),
  periods: z.array(CyclePeriod),
  issues: z.array(CycleTimeIssue),
});
const Throughput = part(aboutThroughput, {
  average_resolved: z.number(),
  total_created: count,
  total_resolved: count,
  weeks: z.array(ThroughputWeek),
});
const StatusBreakdown = part(aboutStatusBreakdown, {
  total: count,
  total_points: count,
  slices: z.array(StatusSlice),
});
const TypeBreakdown = part(aboutTypeBreakdown, { total: count, slices: z.array(TypeSlice) });
const Workload = part(aboutWorkload, {
  open_total: count,
  unassigned: count,
  rows: z.array(WorkloadRow),
});

const report = <const Name extends ReportName, Data extends z.ZodType>(name: Name, data: Data) =>
  part(aboutReport, {
    report: z.literal(name),
    data,
    project_key: z.string(),
    generated_at: timestamp,
    params: part(aboutParams, {
      from: day.optional(),
      to: day.optional(),
      sprint: id.optional(),
      interval: z.enum(INTERVALS).optional(),
      tz: z.string(),
    }),
  });

export const ReportView = z
  .discriminatedUnion("report", [
    report("velocity", Velocity.nullable()),
    report("burndown", Burndown.nullable()),
    report("cycle-time", CycleTime),
    report("throughput", Throughput),
    report("status-breakdown", StatusBreakdown),
    report("type-breakdown", TypeBreakdown),
    report("workload", Workload),
  ])
  .meta({ id: "Report" });
export type ReportView = z.output<typeof ReportView>;

/** The data of each report, without null. */
export type DataOf = {
  velocity: z.output<typeof Velocity>;
  burndown: z.output<typeof Burndown>;
  "cycle-time": z.output<typeof CycleTime>;
  throughput: z.output<typeof Throughput>;
  "status-breakdown": z.output<typeof StatusBreakdown>;
  "type-breakdown": z.output<typeof TypeBreakdown>;
  workload: z.output<typeof Workload>;
};

/** The list that becomes the rows of a report's table, and its columns. */
export const TABLES: { [Name in ReportName]: { rows: keyof DataOf[Name]; columns: string[] } } = {
  velocity: { rows: "bars", columns: Object.keys(VelocityBar.shape) },
  burndown: { rows: "points", columns: Object.keys(BurndownPoint.shape) },
  "cycle-time": { rows: "issues", columns: Object.keys(CycleTimeIssue.shape) },
  throughput: { rows: "weeks", columns: Object.keys(ThroughputWeek.shape) },
  "status-breakdown": { rows: "slices", columns: Object.keys(StatusSlice.shape) },
  "type-breakdown": { rows: "slices", columns: Object.keys(TypeSlice.shape) },
  workload: { rows: "rows", columns: Object.keys(WorkloadRow.shape) },
};
