import type { Tone } from "../../../../domain/kernel/ports/chart.ts";

/** Colors of charts, for light and dark. Each has a contrast of at least 3 to the page, and texts have 4.5. */

type Colors = Record<"page" | "ink" | "soft" | "grid" | Tone, string>;

export const LIGHT: Colors = {
  page: "#ffffff",
  ink: "#1a1d23",
  soft: "#525966",
  grid: "#e3e6eb",
  main: "#1f5fbf",
  second: "#8861b0",
  calm: "#8a93a3",
  good: "#2c8a4b",
  warn: "#b27700",
  bad: "#c93636",
};

const DARK: Colors = {
  page: "#14171c",
  ink: "#eef0f3",
  soft: "#b3bac6",
  grid: "#333a45",
  main: "#7db2ff",
  second: "#b292d8",
  calm: "#7f8896",
  good: "#57c27c",
  warn: "#e3ab3c",
  bad: "#f07c7c",
};

/** The picture has the light colors as attributes, so that programs that know no style sheets draw it, too. */
const dark = (Object.keys(LIGHT) as (keyof Colors)[])
  .map((name) => `[fill="${LIGHT[name]}"]{fill:${DARK[name]}}[stroke="${LIGHT[name]}"]{stroke:${DARK[name]}}`)
  .join("");

export const STYLE = `@media (prefers-color-scheme:dark){${dark}}`;
