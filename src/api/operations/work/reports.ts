import { reportExported } from "../../../domain/work/reports/audits.ts";
import { chartOf } from "../../../domain/work/reports/charts.ts";
import { ReportQuery } from "../../../domain/work/reports/params.ts";
import { named, read, tableOf } from "../../../domain/work/reports/reports.ts";
import { REPORTS, ReportView } from "../../../domain/work/reports/views.ts";
import { CSV, csvInParts } from "../../engine/csv.ts";
import { Download } from "../../engine/download.ts";
import { drawn, SVG } from "../../engine/drawn.ts";
import { Export } from "../../engine/export.ts";
import { operation } from "../../engine/operation.ts";

export const reportOperations = [
  operation({
    id: "reports.get",
    route: "GET P/reports/{report}",
    summary: "Read a report about a project, as JSON, as CSV or as a picture",
    about:
      "`velocity` and `burndown` have `data: null` while the project has no sprint. With `format=csv` the reply is a file. Amounts are story points, minutes or issues, as the project estimates. Archived issues do not count. Each report takes the parameters that make sense for it, and refuses the others; days are those of the workspace's `timezone`, or of `tz`. If Accept names `image/svg+xml`, the reply is a chart of the report, for light and dark, `width` pixels wide.",
    needs: "projects:read",
    gate: "reports",
    words: { report: REPORTS },
    on: named,
    query: ReportQuery,
    returns: ReportView,
    downloads: [CSV, SVG],
    long: true,
    async handle({ ctx, on, query, asked }) {
      const report = await read(ctx, on, query);
      if (query.format === "json") return asked === SVG ? drawn(ctx, chartOf(report, query.width)) : report;
      const { fileName, columns, rows } = tableOf(report);
      const file = new Download(CSV, fileName, csvInParts(columns, rows, query.bom === "true"));
      const target = { id: null, name: fileName, project_id: ctx.project.id };
      return new Export(reportExported, target, file);
    },
  }),
];
