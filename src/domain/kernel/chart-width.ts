import { z } from "zod";
import { CHART_WIDTH } from "./ports/chart.ts";

/** The parameter of replies that can be charts. */
export const chartWidth = z.coerce
  .number()
  .int()
  .min(CHART_WIDTH.min)
  .max(CHART_WIDTH.max)
  .default(CHART_WIDTH.default);

export const aboutChartWidth = [
  "Width of the picture in pixels, if Accept names `image/svg+xml`. Its height follows from what it shows.",
  CHART_WIDTH.default,
] as const;
