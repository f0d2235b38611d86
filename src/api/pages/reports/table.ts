import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { shownOf } from "../../../domain/work/reports/charts-of-time.ts";
import { type ReportView, TABLES } from "../../../domain/work/reports/views.ts";
import { words } from "../kit/words.ts";

/** The numbers of a report as a table. The file has all rows and columns. */

const ROWS = 100;
/** Ids and colours say nothing to people. */
const LEFT_OUT = /(^|_)(id|color|kind)$/;

const UNIT = /_(issues|points)$/;

export function reportTable(view: ReportView, title: string): Html {
  const { report, data } = shownOf(view);
  const isCounted = data !== view.data;
  const { rows: key, columns } = TABLES[report];
  const rows = data === null ? [] : (own(data as unknown as Record<string, Record<string, unknown>[]>, key) ?? []);
  if (rows.length === 0) return html`<p class="quiet">There are no numbers yet.</p>`;
  // What is counted in issues is not shown in points, nor twice.
  const isTwice = (column: string) => isCounted && columns.includes(column.replace(UNIT, "")) && UNIT.test(column);
  const shown = columns.filter((column) => !LEFT_OUT.test(column) && !isTwice(column));
  return html`${isCounted ? html`<p class="quiet">Nothing here is estimated, so issues are counted.</p>` : ""}<div class="scroll" tabindex="0" role="region" aria-label="${title}, numbers"><table>
      <thead><tr>${shown.map((column) => html`<th scope="col">${words(column)}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, ROWS).map((row) => html`<tr>${shown.map((column) => html`<td${column === "title" ? html` class="long"` : ""}>${textOf(column, row[column])}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length > ROWS ? html`<p class="quiet">The first ${ROWS} of ${rows.length} rows. The file has all.</p>` : ""}`;
}

function textOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string" && WORDS.has(column)) return words(value);
  // Times as days.
  if (typeof value === "string" && TIME.test(value)) return value.slice(0, 10);
  return typeof value === "number" ? String(Math.round(value * 10) / 10) : String(value);
}

const WORDS = new Set(["category", "status", "type", "priority"]);
const TIME = /^\d{4}-\d\d-\d\dT/;
