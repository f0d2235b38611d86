import type { ChartSeries, ChartToDraw } from "./ports/chart.ts";
import { widthOf } from "./text-width.ts";

/** How high a chart is, which follows from what it shows. Pages keep its room before it is there. */

export const CHART_FONT = 12;
const ROW = 30;
export const CHART_HEAD = 40;
const LEGEND_ROW = 20;
const WITHOUT_DATA = 120;

export const isChartEmpty = ({ places, series }: ChartToDraw): boolean =>
  places.length === 0 && series.every(({ dots = [] }) => dots.length === 0);

/** @returns `top`: where the values begin */
export function chartSize(chart: ChartToDraw): { width: number; height: number; top: number } {
  const { width, along, places, series } = chart;
  if (isChartEmpty(chart)) return { width, height: WITHOUT_DATA, top: CHART_HEAD };
  const legend = series.length > 1 ? legendRows(series, width) * LEGEND_ROW + 8 : 0;
  const top = CHART_HEAD + legend + (along === "rows" ? 0 : 18);
  const height = along === "rows" ? top + places.length * ROW + 48 : Math.max(260, Math.round(width * 0.42)) + top - 40;
  return { width, height, top };
}

function legendRows(series: readonly ChartSeries[], width: number): number {
  let [rows, used] = [1, 0];
  for (const { name } of series) {
    const needed = widthOf(name, CHART_FONT) + 40;
    if (used + needed > width - 24 && used > 0) {
      rows++;
      used = 0;
    }
    used += needed;
  }
  return rows;
}
