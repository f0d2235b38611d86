import { ISSUE_TYPES } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { countByColumn, countByType, countOpen, openByAssignee } from "./breakdowns.sql.ts";
import type { ReportParams } from "./params.ts";
import { percentOf } from "./rounded.ts";
import type { DataOf } from "./views.ts";

const sumOf = <Column extends string>(rows: readonly Record<Column, number>[], column: Column): number =>
  rows.reduce((sum, row) => sum + row[column], 0);

/** Returns the number of issues in each column of the board, of the project or of one of its sprints. */
export async function statusBreakdown(ctx: InProject, { sprint }: ReportParams): Promise<DataOf["status-breakdown"]> {
  const columns = await countByColumn(ctx, sprint);
  const total = sumOf(columns, "count");
  return {
    total,
    total_points: sumOf(columns, "points"),
    slices: columns.map((column) => ({ ...column, percent: percentOf(column.count, total) })),
  };
}

/** Returns the number of issues of each type and category. */
export async function typeBreakdown(ctx: InProject, { sprint }: ReportParams): Promise<DataOf["type-breakdown"]> {
  const counts = await countByType(ctx, sprint);
  const total = sumOf(counts, "count");
  const slices = ISSUE_TYPES.map((type) => {
    const own = counts.filter((row) => row.type === type);
    const within = (...categories: Category[]) =>
      sumOf(
        own.filter(({ status }) => categories.includes(status)),
        "count",
      );
    const count = sumOf(own, "count");
    return {
      type,
      count,
      todo: within("backlog", "todo"),
      in_progress: within("in_progress", "in_review"),
      done: within("done"),
      failed: within("failed"),
      cancelled: within("cancelled"),
      points: sumOf(own, "points"),
      percent: percentOf(count, total),
    };
  });
  return { total, slices };
}

/** Returns the open issues of each assignee. */
export async function workload(ctx: InProject, params: ReportParams): Promise<DataOf["workload"]> {
  const { sprint } = params;
  const load = await openByAssignee(ctx, params);
  const rows = load.map((row) => {
    if (row.assignee_id === null) return { ...row, assignee_name: "Unassigned", assignee_kind: "none" as const };
    return { ...row, assignee_name: row.assignee_name ?? "", assignee_kind: row.assignee_kind ?? "user" };
  });
  const unassigned = load.find(({ assignee_id }) => assignee_id === null)?.open ?? 0;
  return { open_total: await countOpen(ctx, sprint), unassigned, rows };
}
