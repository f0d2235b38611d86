import { counted } from "../../kernel/counted.ts";
import type { ChartSeries, ChartToDraw } from "../../kernel/ports/chart.ts";
import type { KeyUsageView } from "./view.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** The usage of a key as a chart: the calls of each day, and how many of them failed. */
export function usageChart({ from, to, series: days, totals }: KeyUsageView, name: string, width: number): ChartToDraw {
  const bars = (label: string, tone: ChartSeries["tone"], of: (day: KeyUsageView["series"][number]) => number) =>
    ({ name: label, as: "bars", tone, stack: "all", values: days.map(of) }) satisfies ChartSeries;
  const p95 = totals.requests === 0 ? "" : ` 95 % took at most ${totals.p95_ms} ms.`;
  return {
    format: "chart",
    title: `Calls · ${name}`,
    description: `${counted(totals.requests, "call")} from ${from} to ${to}: ${totals.client_errors} refused, ${totals.server_errors} failed.${p95}`,
    width,
    unit: "Calls a day (UTC)",
    along: "columns",
    places: days.map(({ date }) => DAY.format(Date.parse(date))),
    series: [
      bars("Answered", "main", ({ requests, errors }) => requests - errors),
      bars("Refused", "warn", ({ client_errors }) => client_errors),
      bars("Failed", "bad", ({ server_errors }) => server_errors),
    ],
    marks: [],
    highest: null,
    nothing: "There were no calls.",
  };
}
