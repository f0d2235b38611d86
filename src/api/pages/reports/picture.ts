import { hash } from "node:crypto";
import { chartSize } from "../../../domain/kernel/chart-size.ts";
import type { Html } from "../../../domain/kernel/html.ts";
import { chartOf, REPORT_TITLES } from "../../../domain/work/reports/charts.ts";
import type { ReportView } from "../../../domain/work/reports/views.ts";
import { chart, type Drawing } from "../kit/chart.ts";

/**
 * The picture of a report, in the room that it needs. Its address changes with the numbers, so that a page that is kept
 * current loads it again.
 * @param path of the report's page
 */
export function reportPicture(
  view: ReportView,
  { path, query, wide = 900 }: { path: string; query: Record<string, string>; wide?: number },
): Html {
  const version = hash("sha256", JSON.stringify(view.data), "base64url").slice(0, 10);
  const drawing = (width: number): Drawing => {
    const address = new URLSearchParams({ ...query, width: String(width), v: version });
    return { ...chartSize(chartOf(view, width)), src: `${path}/picture.svg?${address}` };
  };
  const alt = `${REPORT_TITLES[view.report]}. The table below has the numbers.`;
  return chart({ wide: drawing(wide), narrow: drawing(360), alt });
}
