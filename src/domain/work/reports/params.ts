import { z } from "zod";
import { timezoneOf } from "../../access/identity/timezones.sql.ts";
import { chartWidth } from "../../kernel/chart-width.ts";
import type { InProject } from "../../kernel/context.ts";
import { inputPart } from "../../kernel/described.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { readTimezone } from "../../kernel/locale.ts";
import { closest } from "../../kernel/text.ts";
import { choice, dayInput, flag } from "../../kernel/wire.ts";
import { wrongValue } from "../issues/wrong-value.ts";
import { aboutReportQuery } from "./descriptions.ts";
import { INTERVALS } from "./periods.ts";
import { findSprint, sprintNames } from "./sprints.sql.ts";
import type { ReportName } from "./views.ts";

/** Parameters of reports. */

/** Days sort as text only while years have four digits, and a period may end in the year after the one it begins in. */
const reportDay = dayInput.refine((day) => day < "9999", {
  message: "must be before the year 9999",
  params: { code: "too_large" },
});

export const ReportQuery = inputPart(aboutReportQuery, {
  format: choice(["json", "csv"]).default("json"),
  bom: flag.default("true"),
  from: reportDay.optional(),
  to: reportDay.optional(),
  sprint: z.string().trim().min(1).max(255).optional(),
  interval: choice(INTERVALS).optional(),
  tz: z.string().trim().min(1).max(100).optional(),
  width: chartWidth,
});
export type ReportQuery = z.output<typeof ReportQuery>;

/** Days are those of `timezone`: the workspace's, or the one that the call names. */
export type ReportParams = Omit<ReportQuery, "format" | "bom" | "width" | "tz"> & { timezone: string };

/** What each report takes. */
type Named = Exclude<keyof ReportParams, "timezone">;
const TAKES: Record<ReportName, readonly Named[]> = {
  velocity: ["from", "to"],
  burndown: ["sprint"],
  "cycle-time": ["from", "to", "interval"],
  throughput: ["from", "to", "interval"],
  "status-breakdown": ["sprint"],
  "type-breakdown": ["sprint"],
  workload: ["sprint"],
};

/** Returns the parameters with the sprint as an id. @throws Refusal invalid_parameter */
export async function readParams(ctx: InProject, report: ReportName, query: ReportQuery): Promise<ReportParams> {
  const { format: _, bom: _b, width: _w, tz, ...params } = query;
  const takes = TAKES[report];
  for (const name of Object.keys(params) as Named[]) {
    if (params[name] === undefined || takes.includes(name)) continue;
    const message = `${name}: ${report} does not take it. It takes ${takes.join(", ")}.`;
    refuse("invalid_parameter", { message, parameter: name, allowed: [...takes, "format"] });
  }
  const { from, to, sprint } = params;
  if (from !== undefined && to !== undefined && to < from) {
    refuse("invalid_parameter", { message: "to: must not be before from.", parameter: "to", value: to });
  }
  const named = tz === undefined ? null : (readTimezone(tz) ?? wrongZone(tz));
  const read = { ...params, timezone: named ?? (await timezoneOf(ctx.db, ctx.workspace.id)) };
  return sprint === undefined ? read : { ...read, sprint: await sprintNamed(ctx, sprint) };
}

function wrongZone(name: string): never {
  const meant = closest(name, Intl.supportedValuesOf("timeZone"));
  const message = `tz must be a time zone (IANA), like Europe/Berlin.${meant ? ` Did you mean ${meant}?` : ""}`;
  return refuse("invalid_parameter", { message, parameter: "tz", ...(meant ? { did_you_mean: meant } : {}) });
}

/** Finds a sprint by id, by name (ignoring case), or the `active` one. */
async function sprintNamed(ctx: InProject, ref: string): Promise<string> {
  const [sprint, other] = await findSprint(ctx, readId(ref), ref);
  if (!sprint) return noSprint(ref, await sprintNames(ctx));
  if (!other) return sprint.id;
  const message = `sprint: several sprints are called ${ref.slice(0, 100).toWellFormed()}. Send the id of one.`;
  return refuse("invalid_parameter", { message, parameter: "sprint", allowed: [sprint.id, other.id] });
}

/** No sprint may be active, and then `active` is not offered. */
function noSprint(ref: string, names: string[]): never {
  if (ref !== "active") return wrongValue("sprint", ref, "a sprint of this project", ["active", ...names]);
  const message = "sprint: no sprint of this project is active. Name one.";
  return refuse("invalid_parameter", { message, parameter: "sprint", value: ref, allowed: names });
}
