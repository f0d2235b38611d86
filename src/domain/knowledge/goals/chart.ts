import type { ChartToDraw } from "../../kernel/ports/chart.ts";
import type { GoalDetailView } from "./view.ts";

/** How a goal's progress was computed, as a chart: a bar for each key result and each goal below it. */
export function goalChart(
  { title, progress_pct, expected_progress_pct, rollup }: GoalDetailView,
  width: number,
): ChartToDraw {
  const inputs = rollup.inputs.slice(0, 40);
  const said = (percent: number | null) => (percent === null ? "not measured" : `${percent} %`);
  const mark = (label: string, value: number | null) =>
    value === null ? [] : [{ label: `${label} ${value} %`, value }];
  return {
    format: "chart",
    title,
    description: `Progress: ${said(progress_pct)}${expected_progress_pct === null ? "" : `, expected by now: ${expected_progress_pct} %`}. ${inputs.map((input) => `${input.title}: ${said(input.progress_pct)}, weight ${input.weight}`).join("; ")}.`,
    width,
    unit: "Progress in percent",
    along: "rows",
    places: inputs.map((input) => input.title),
    series: [
      {
        ...{ name: "Progress", as: "bars", tone: "main", values: inputs.map((input) => input.progress_pct ?? 0) },
        labels: inputs.map(
          (input) => said(input.progress_pct) + (input.weight === 1 ? "" : ` · weight ${input.weight}`),
        ),
      },
    ],
    marks: mark("Expected", expected_progress_pct),
    highest: 100,
    nothing: "Nothing is measured yet. Add a key result.",
  };
}
