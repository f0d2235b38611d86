import type { InProject } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import { closest } from "../../kernel/text.ts";
import { statusBreakdown, typeBreakdown, workload } from "./breakdowns.ts";
import { burndown } from "./burndown.ts";
import { dayOf } from "./days.ts";
import { reportErrors } from "./errors.ts";
import { cycleTime, throughput } from "./flow.ts";
import { type ReportParams, type ReportQuery, readParams } from "./params.ts";
import { velocity } from "./velocity.ts";
import { REPORTS, type ReportName, type ReportView, TABLES } from "./views.ts";

const READS: Record<ReportName, (ctx: InProject, params: ReportParams) => Promise<ReportView["data"]>> = {
  velocity,
  burndown,
  "cycle-time": cycleTime,
  throughput,
  "status-breakdown": statusBreakdown,
  "type-breakdown": typeBreakdown,
  workload,
};

/** @throws Refusal unknown_report */
export async function named(_ctx: InProject, text: string): Promise<ReportName> {
  const name = REPORTS.find((report) => report === text.toLowerCase().replaceAll("_", "-"));
  return name ?? unknownReport(text);
}

function unknownReport(text: string): never {
  const meant = closest(text, REPORTS);
  refuse(reportErrors.unknown_report, {
    message: `This report does not exist. ${meant ? `Did you mean ${meant}?` : `The reports are ${REPORTS.join(", ")}.`}`,
    allowed: REPORTS,
    ...(meant ? { did_you_mean: meant } : {}),
  });
}

/** @throws Refusal invalid_parameter */
export async function read(ctx: InProject, name: ReportName, query: ReportQuery): Promise<ReportView> {
  const params = await readParams(ctx, name, query);
  const data = await READS[name](ctx, params);
  const { timezone: tz, ...shown } = params;
  return {
    report: name,
    data,
    project_key: ctx.project.key,
    generated_at: ctx.now,
    params: { ...shown, tz },
  } as ReportView;
}

/** Returns a report as a table: file name, columns and rows. A report without data has no rows. */
export function tableOf({ report, data, project_key, generated_at }: ReportView) {
  const { rows, columns } = TABLES[report];
  return {
    fileName: `${project_key}-${report}-${dayOf(generated_at)}.csv`,
    columns,
    rows: data === null ? [] : own(data as unknown as Record<string, object[]>, rows)!,
  };
}
