import { counted } from "../../kernel/counted.ts";
import type { ChartSeries, ChartToDraw } from "../../kernel/ports/chart.ts";
import { burndownChart, cycleTimeChart, shownOf, throughputChart, velocityChart } from "./charts-of-time.ts";
import type { DataOf, ReportName, ReportView } from "./views.ts";

/** Reports as charts. */

/** What a report says to the chart: all but its title. */
export type Drawn = Pick<ChartToDraw, "description" | "unit" | "along" | "places" | "series"> &
  Partial<Pick<ChartToDraw, "marks" | "highest" | "nothing">> & { of?: string };

export const REPORT_TITLES: Record<ReportName, string> = {
  burndown: "Burndown",
  velocity: "Velocity",
  "cycle-time": "Cycle time",
  throughput: "Throughput",
  "status-breakdown": "Issues by column",
  "type-breakdown": "Issues by type",
  workload: "Workload",
};

/** Rows of a chart. The table has all. */
const MAX_ROWS = 40;

/** Returns the chart of a report. One without data says so. */
export function chartOf(view: ReportView, width: number): ChartToDraw {
  const { of = view.project_key, ...drawn } = drawnOf(shownOf(view));
  return {
    ...{ format: "chart", title: `${REPORT_TITLES[view.report]} · ${of}`, width, marks: [], highest: null },
    ...{ nothing: "There is nothing to show yet.", ...drawn },
  };
}

const NO_SPRINT: Drawn = {
  ...{ along: "columns", unit: "", places: [], series: [] },
  ...{ description: "The project has no sprints.", nothing: "The project has no sprints yet." },
};

function drawnOf(view: ReportView): Drawn {
  switch (view.report) {
    case "burndown":
      return view.data === null ? NO_SPRINT : burndownChart(view.data);
    case "velocity":
      return view.data === null ? NO_SPRINT : velocityChart(view.data);
    case "cycle-time":
      return cycleTimeChart(view.data);
    case "throughput":
      return throughputChart(view.data);
    case "status-breakdown":
      return byColumn(view.data);
    case "type-breakdown":
      return byType(view.data);
    case "workload":
      return byAssignee(view.data);
  }
}

function byColumn({ total, slices }: DataOf["status-breakdown"]): Drawn {
  const shown = slices.slice(0, MAX_ROWS);
  return {
    along: "rows",
    unit: "Issues",
    places: shown.map(({ status_name }) => status_name),
    series: [
      {
        ...{ name: "Issues", as: "bars", tone: "main", values: shown.map(({ count }) => count) },
        labels: shown.map(({ count, percent }) => (count === 0 ? "0" : `${count} · ${Math.round(percent)} %`)),
        colors: shown.map(({ color }) => color),
      },
    ],
    description: `${counted(total, "issue")}. ${shown.map(({ status_name, count }) => `${status_name}: ${count}`).join("; ")}.`,
  };
}

function byType({ total, slices }: DataOf["type-breakdown"]): Drawn {
  const part = (
    name: string,
    tone: ChartSeries["tone"],
    column: "todo" | "in_progress" | "done" | "failed" | "cancelled",
  ) => ({ name, as: "bars", tone, stack: "all", values: slices.map((slice) => slice[column]) }) satisfies ChartSeries;
  const series: ChartSeries[] = [
    part("Done", "good", "done"),
    part("In progress", "main", "in_progress"),
    part("To do", "calm", "todo"),
    part("Failed", "bad", "failed"),
    part("Cancelled", "second", "cancelled"),
  ];
  return {
    along: "rows",
    unit: "Issues",
    places: slices.map(({ type }) => type.slice(0, 1).toUpperCase() + type.slice(1)),
    series: labelled(
      series,
      slices.map(({ count }) => String(count)),
    ),
    description: `${counted(total, "issue")}. ${slices.map(({ type, count, done }) => `${type}: ${count}, ${done} done`).join("; ")}.`,
  };
}

function byAssignee({ open_total, rows }: DataOf["workload"]): Drawn {
  const shown = rows.slice(0, MAX_ROWS);
  const series: ChartSeries[] = [
    { name: "In progress", as: "bars", tone: "main", stack: "all", values: shown.map((row) => row.in_progress) },
    {
      name: "Not started",
      as: "bars",
      tone: "calm",
      stack: "all",
      values: shown.map((row) => row.open - row.in_progress),
    },
  ];
  const late = (overdue: number) => (overdue === 0 ? "" : ` · ${overdue} overdue`);
  return {
    along: "rows",
    unit: "Open issues",
    places: shown.map(({ assignee_name, assignee_kind }) =>
      assignee_kind === "agent" ? `${assignee_name} (agent)` : assignee_name || "Someone",
    ),
    series: labelled(
      series,
      shown.map(({ open, overdue }) => `${open}${late(overdue)}`),
    ),
    nothing: "No issue is open.",
    description: `${counted(open_total, "open issue")}. ${shown.map(({ assignee_name, open, overdue }) => `${assignee_name}: ${open} open${overdue > 0 ? `, ${overdue} overdue` : ""}`).join("; ")}${rows.length > MAX_ROWS ? `; and ${rows.length - MAX_ROWS} more` : ""}.`,
  };
}

/** Texts stand behind the last part of a bar, which may have no length itself. */
const labelled = (series: readonly ChartSeries[], labels: readonly string[]): ChartSeries[] =>
  series.map((one, n) => (n === series.length - 1 ? { ...one, labels } : one));
