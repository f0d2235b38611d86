import { reportExported } from "../../../domain/work/reports/audits.ts";
import { ReportQuery } from "../../../domain/work/reports/params.ts";
import { named, read, tableOf } from "../../../domain/work/reports/reports.ts";
import { REPORTS, ReportView } from "../../../domain/work/reports/views.ts";
import { CSV, csvInParts } from "../../engine/csv.ts";
import { Download } from "../../engine/download.ts";
import { Export } from "../../engine/export.ts";
import { operation } from "../../engine/operation.ts";

export const reportOperations = [
  operation({
    id: "reports.get",
    route: "GET P/reports/{report}",
    summary: "Read a report about a project, as JSON or as CSV",
    about:
      "`velocity` and `burndown` have `data: null` while the project has no sprint. With `format=csv` the reply is a file. Amounts are story points, minutes or issues, as the project estimates. Archived issues do not count. Each report takes the parameters that make sense for it, and refuses the others; days are those of UTC.",
    needs: "projects:read",
    gate: "reports",
    words: { report: REPORTS },
    on: named,
    query: ReportQuery,
    returns: ReportView,
    downloads: [CSV],
    long: true,
    async handle({ ctx, on, query }) {
      const report = await read(ctx, on, query);
      if (query.format === "json") return report;
      const { fileName, columns, rows } = tableOf(report);
      const file = new Download(CSV, fileName, csvInParts(columns, rows));
      const target = { id: null, name: fileName, project_id: ctx.project.id };
      return new Export(reportExported, target, file);
    },
  }),
];
