import type { ReportName } from "../../../domain/work/reports/views.ts";

/** The columns that people see of each report, in their words. The file has all, by the API's names. */

export type Kind = "text" | "word" | "issue" | "day" | "number" | "percent" | "days" | "hours" | "minutes";
export type Column = readonly [field: string, label: string, kind: Kind];

/** What sprints are measured in. Issues are always counted. */
const UNITS = { points: "points", minutes: "minutes", issues: "issues" } as const;

const kindOf = (unit: keyof typeof UNITS): Kind => (unit === "minutes" ? "minutes" : "number");

/** @param unit of a sprint, `issues` if nothing is estimated */
export function columnsOf(report: ReportName, unit: keyof typeof UNITS): readonly Column[] {
  if (report === "burndown") return burndown(unit);
  if (report === "velocity") return velocity(unit);
  return COLUMNS[report];
}

function burndown(unit: keyof typeof UNITS): Column[] {
  const kind = kindOf(unit);
  const inUnit: Column[] = [
    ["scope", `All ${UNITS[unit]}`, kind],
    ["completed", `Done ${UNITS[unit]}`, kind],
    ["remaining", `Remaining ${UNITS[unit]}`, kind],
    ["ideal", "Ideal", kind],
  ];
  const issues: Column[] = [
    ["scope_issues", "All issues", "number"],
    ["completed_issues", "Done issues", "number"],
    ["remaining_issues", "Remaining issues", "number"],
  ];
  return [["date", "Day", "day"], ...(unit === "issues" ? [] : inUnit), ...issues];
}

function velocity(unit: keyof typeof UNITS): Column[] {
  const inUnit: Column[] = [
    ["committed", `Planned ${UNITS[unit]}`, kindOf(unit)],
    ["completed", `Done ${UNITS[unit]}`, kindOf(unit)],
  ];
  return [
    ["sprint_name", "Sprint", "text"],
    ["status", "State", "word"],
    ["end_at", "Ends", "day"],
    ...(unit === "issues" ? [] : inUnit),
    ["committed_issues", "Planned issues", "number"],
    ["added_issues", "Added", "number"],
    ["removed_issues", "Removed", "number"],
    ["completed_issues", "Done issues", "number"],
    ["carried_over_issues", "Carried over", "number"],
  ];
}

const COLUMNS: { [Name in Exclude<ReportName, "burndown" | "velocity">]: readonly Column[] } = {
  "cycle-time": [
    ["issue_key", "Issue", "issue"],
    ["title", "Title", "text"],
    ["type", "Type", "word"],
    ["resolved_at", "Resolved", "day"],
    ["cycle_hours", "From start", "hours"],
    ["lead_hours", "From creation", "hours"],
  ],
  throughput: [
    ["week_start", "From", "day"],
    ["week_end", "To", "day"],
    ["created", "Created", "number"],
    ["resolved", "Resolved", "number"],
    ["done", "Done", "number"],
    ["failed", "Failed", "number"],
    ["cancelled", "Cancelled", "number"],
    ["net", "More or fewer open", "number"],
    ["done_points", "Done points", "number"],
  ],
  "status-breakdown": [
    ["status_name", "Column", "text"],
    ["category", "Kind", "word"],
    ["count", "Issues", "number"],
    ["points", "Points", "number"],
    ["percent", "Share", "percent"],
    ["avg_age_days", "Average age", "days"],
  ],
  "type-breakdown": [
    ["type", "Type", "word"],
    ["count", "Issues", "number"],
    ["todo", "To do", "number"],
    ["in_progress", "In progress", "number"],
    ["done", "Done", "number"],
    ["failed", "Failed", "number"],
    ["cancelled", "Cancelled", "number"],
    ["points", "Points", "number"],
    ["percent", "Share", "percent"],
  ],
  workload: [
    ["assignee_name", "Assignee", "text"],
    ["open", "Open issues", "number"],
    ["in_progress", "In progress", "number"],
    ["overdue", "Overdue", "number"],
    ["points", "Points", "number"],
    ["estimate_minutes", "Estimate", "minutes"],
    ["spent_minutes", "Spent", "minutes"],
  ],
};
