/** A chart to draw as SVG: values along names or days, or points in time. */
export type ChartToDraw = {
  format: "chart";
  title: string;
  /** What the chart shows, for those who do not see it. */
  description: string;
  /** In pixels, from CHART_WIDTH.min to CHART_WIDTH.max. The height follows from what is shown. */
  width: number;
  /** What the numbers count. */
  unit: string;
  /**
   * `columns` stand beside each other, e.g. for days. `rows` are below each other, for names that need room. `moments`
   * are points in time; the places are not used.
   */
  along: "columns" | "rows" | "moments";
  places: readonly string[];
  series: readonly ChartSeries[];
  /** Values to compare with, as lines across the chart. */
  marks: readonly { label: string; value: number }[];
  /** The highest value that is possible. Null: the scale ends with the highest one that there is. */
  highest: number | null;
  /** Shown instead of the chart if there is nothing to show. */
  nothing: string;
};

export const CHART_WIDTH = { min: 320, default: 760, max: 1_600 };

/** What a series means. Each tone has a color for light and one for dark. */
export type Tone = "main" | "second" | "calm" | "good" | "warn" | "bad";

export type ChartSeries = {
  name: string;
  as: "bars" | "line" | "dashed" | "steps" | "dots";
  tone: Tone;
  /** Bars of the same stack are upon each other. */
  stack?: string;
  /** By place. Null: not known. */
  values?: readonly (number | null)[];
  /** What stands at the end of each bar. */
  labels?: readonly string[];
  /** Colors of bars that people chose, as `#rrggbb`. */
  colors?: readonly string[];
  /** For moments: milliseconds since 1970, and the value. */
  dots?: readonly (readonly [at: number, value: number])[];
};
