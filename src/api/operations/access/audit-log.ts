import { AUDIT_TYPES } from "../../../domain/audit-types.ts";
import { auditLogExported } from "../../../domain/events/audit/exports.ts";
import { listPage, pagesOf } from "../../../domain/events/audit/list.ts";
import {
  AUDIT_COLUMNS,
  AuditEntryView,
  AuditQuery,
  auditTableRow,
  type ExportFormat,
} from "../../../domain/events/audit/view.ts";
import { CSV, csvHeader, csvRows } from "../../engine/csv.ts";
import { Download } from "../../engine/download.ts";
import { Export } from "../../engine/export.ts";
import { operation } from "../../engine/operation.ts";

const NDJSON = "application/x-ndjson";
const TYPES: Record<ExportFormat, string> = { csv: CSV, ndjson: NDJSON };

export const auditLogOperations = [
  operation({
    id: "audit-log.list",
    route: "GET W/audit-log",
    summary: "List who changed the workspace's administration, newest first",
    about: `Entries tell who changed members, roles, keys, grants, apps, webhooks, credits, plans, agents, automations, workflows and access to projects, and who exported data; with which credential, and from which network. Nobody can change or delete them. With \`format=csv\` or \`format=ndjson\`, or if Accept names the type, the reply is a file with all matching entries. Types are ${AUDIT_TYPES.map((type) => `\`${type}\``).join(", ")}.`,
    needs: "audit:read; admin tier",
    limitedKeys: "refuse",
    query: AuditQuery,
    returns: AuditEntryView,
    shape: "list",
    downloads: [CSV, NDJSON],
    async handle({ ctx, query, paging, asked }) {
      const format = query.format ?? (asked === null ? "json" : asked === CSV ? "csv" : "ndjson");
      if (format === "json") return listPage(ctx, query, AUDIT_TYPES, paging);
      const fileName = `audit-log-${ctx.workspace.slug}-${ctx.now.slice(0, 10)}.${format}`;
      const pages = pagesOf(ctx, query, AUDIT_TYPES);
      const { format: _, bom, ...filters } = query;
      const changes = Object.fromEntries(
        Object.entries({ format, ...filters }).map(([name, to]) => [name, [null, to]]),
      );
      const file = new Download(TYPES[format], fileName, linesOf(pages, format, bom === "true"));
      return new Export(auditLogExported, { id: null, name: fileName, changes: changes as never }, file);
    },
  }),
];

async function* linesOf(
  pages: AsyncIterable<AuditEntryView[]>,
  format: ExportFormat,
  bom: boolean,
): AsyncGenerator<string> {
  // Together with the first page, which finds out whether the call is valid.
  let header = format === "csv" ? csvHeader(AUDIT_COLUMNS, bom) : "";
  for await (const page of pages) {
    yield header + (format === "csv" ? csvRows(AUDIT_COLUMNS, page.map(auditTableRow)) : page.map(jsonLine).join(""));
    header = "";
  }
}

const jsonLine = (entry: AuditEntryView): string => `${JSON.stringify(entry)}\n`;
