import type { EChartsCoreOption } from "echarts/core";
import { CHART_FONT, CHART_HEAD, chartSize } from "../../../../domain/kernel/chart-size.ts";
import type { ChartSeries, ChartToDraw } from "../../../../domain/kernel/ports/chart.ts";
import { widthOf } from "../../../../domain/kernel/text-width.ts";
import { cutTo, plain } from "../picture/texts.ts";
import { LIGHT } from "./colors.ts";

/** A chart as the library takes it. */

const SIZE = CHART_FONT;
const LABEL = { color: LIGHT.ink, fontSize: SIZE, fontWeight: "normal" as const, textBorderWidth: 0 };
const MANY_COLUMNS = 16;

export type Laid = { width: number; height: number; option: EChartsCoreOption };

export function layOutChart(chart: ChartToDraw): Laid {
  const { width, along, places } = chart;
  const series = chart.series.map((one) => ({ ...one, name: plain(one.name) }));
  const legend = series.length > 1;
  const { height, top } = chartSize({ ...chart, series });
  const names = {
    type: "category" as const,
    data: places.map((place) => cutTo(plain(place), SIZE, along === "rows" ? width * 0.32 : 90)),
    inverse: along === "rows",
    axisTick: { show: false },
    axisLine: { lineStyle: { color: LIGHT.calm, width: 1 } },
    axisLabel: {
      color: along === "rows" ? LIGHT.ink : LIGHT.soft,
      fontSize: SIZE,
      hideOverlap: along !== "rows",
      ...(along === "rows" ? { interval: 0 } : {}),
    },
  };
  const amounts = {
    type: isWide(chart) ? ("log" as const) : ("value" as const),
    ...(chart.highest === null ? {} : { max: chart.highest }),
    minInterval: along === "moments" ? 0 : 1,
    name: plain(chart.unit),
    nameLocation: along === "rows" ? ("middle" as const) : ("end" as const),
    nameGap: along === "rows" ? 26 : 10,
    nameTextStyle: { color: LIGHT.soft, fontSize: SIZE, ...(along === "rows" ? {} : { align: "left" as const }) },
    splitNumber: width < 500 ? 3 : 5,
    splitLine: { lineStyle: { color: LIGHT.grid, width: 1 } },
    axisLabel: { color: LIGHT.soft, fontSize: SIZE, hideOverlap: true },
  };
  const times = {
    type: "time" as const,
    axisTick: { show: false },
    splitLine: { show: false },
    splitNumber: width < 500 ? 3 : 6,
    axisLine: { lineStyle: { color: LIGHT.calm, width: 1 } },
    axisLabel: { color: LIGHT.soft, fontSize: SIZE, hideOverlap: true, formatter: (at: number) => DAY.format(at) },
    minInterval: 86_400_000,
  };
  const option = {
    animation: false,
    useUTC: true,
    grid: {
      ...{ left: 16, right: along === "rows" ? endRoom(series) : 20, top, bottom: along === "rows" ? 34 : 14 },
      ...{ outerBoundsMode: "same", outerBoundsContain: "axisLabel" },
    },
    ...(legend ? { legend: legendOf() } : {}),
    xAxis: along === "rows" ? amounts : along === "moments" ? times : names,
    yAxis: along === "rows" ? names : amounts,
    series: series.map((one, n) => seriesOf(one, chart, n === 0)),
  };
  return { width, height, option };
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const legendOf = () => ({
  ...{ left: 12, top: CHART_HEAD - 4, itemGap: 16, itemWidth: 16, itemHeight: 10, selectedMode: false },
  textStyle: { color: LIGHT.soft, fontSize: SIZE },
});

/** Room for the labels at the ends of rows. */
const endRoom = (series: readonly ChartSeries[]): number =>
  24 + Math.max(0, ...series.flatMap(({ labels = [] }) => labels.map((label) => Math.ceil(widthOf(label, SIZE)))));

/** A few very high dots would press all others to the bottom. */
function isWide({ along, series }: ChartToDraw): boolean {
  if (along !== "moments") return false;
  const values = series.flatMap(({ dots = [] }) => dots.map(([, value]) => value)).sort((a, b) => a - b);
  const [middle = 0, last = 0] = [values[Math.floor(values.length / 2)], values.at(-1)];
  return middle > 0 && last > 20 * middle;
}

function seriesOf(one: ChartSeries, chart: ChartToDraw, first: boolean) {
  const color = LIGHT[one.tone];
  const common = { name: one.name, silent: true, ...(first ? marksOf(chart) : {}) };
  if (one.as === "dots") {
    return { ...common, type: "scatter", data: extremes(one.dots ?? []), symbolSize: 0, itemStyle: { color } };
  }
  if (one.as === "bars") return { ...common, ...barsOf(one, chart, color) };
  return {
    ...{ ...common, type: "line", data: one.values, symbol: one.as === "line" ? "circle" : "none", symbolSize: 5 },
    ...(one.as === "steps" ? { step: "end" } : {}),
    lineStyle: { color, width: one.as === "line" ? 2.5 : 1.5, type: one.as === "dashed" ? [6, 5] : "solid" },
    itemStyle: { color, borderColor: color },
  };
}

function barsOf({ values = [], labels, colors, stack }: ChartSeries, { along, places }: ChartToDraw, color: string) {
  const few = along === "columns" && places.length <= MANY_COLUMNS && stack === undefined;
  const label = labels
    ? {
        ...LABEL,
        show: true,
        position: "right",
        formatter: ({ dataIndex }: { dataIndex: number }) => labels[dataIndex] ?? "",
      }
    : { ...LABEL, show: few, position: "top" };
  return {
    ...{ type: "bar", stack, barMaxWidth: along === "rows" ? 18 : 34, barGap: "15%", label, itemStyle: { color } },
    data: values.map((value, n) => ({
      value,
      ...(colors?.[n] ? { itemStyle: { color: colors[n], borderColor: LIGHT.calm, borderWidth: 0.5 } } : {}),
    })),
  };
}

/** Their labels are at different places, because the lines may be near each other. */
function marksOf({ marks, along }: ChartToDraw) {
  if (marks.length === 0) return {};
  const places = ["insideStartTop", "insideMiddleTop", "insideEndTop"];
  const data = marks.map(({ label, value }, n) => ({
    ...(along === "rows" ? { xAxis: value } : { yAxis: value }),
    label: {
      ...LABEL,
      textBorderColor: LIGHT.page,
      textBorderWidth: 4,
      formatter: () => plain(label),
      position: along === "rows" ? "start" : places[n % 3],
    },
  }));
  return {
    markLine: { silent: true, symbol: "none", data, lineStyle: { color: LIGHT.soft, width: 1, type: [3, 3] } },
  };
}

/** The least and the highest: dots are drawn by draw.ts, because the library needs a second for ten thousand of them. */
function extremes(dots: NonNullable<ChartSeries["dots"]>) {
  const [times, values] = [dots.map(([at]) => at), dots.map(([, value]) => value)];
  return [
    [least(times), LEAST],
    [most(times), Math.max(most(values), LEAST)],
  ];
}

/** A logarithmic scale has no zero. */
export const LEAST = 0.01;

const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);
