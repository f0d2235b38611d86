import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { shownOf } from "../../../domain/work/reports/charts-of-time.ts";
import { type ReportView, TABLES } from "../../../domain/work/reports/views.ts";
import { dayInWords, minutesInWords } from "../kit/times.ts";
import { words } from "../kit/words.ts";
import { type Column, columnsOf, type Kind } from "./columns.ts";

/** The numbers of a report as a table. The file has all rows and columns. */

const ROWS = 100;

type Row = Readonly<Record<string, unknown>>;

/** @param base path of the project's pages */
export function reportTable(view: ReportView, title: string, base: string): Html {
  const { report, data } = shownOf(view);
  const isCounted = data !== view.data;
  const rows = data === null ? [] : (own(data as unknown as Record<string, Row[]>, TABLES[report].rows) ?? []);
  if (rows.length === 0) return html`<p class="quiet">There are no numbers yet.</p>`;
  const columns = columnsOf(report, data !== null && "unit" in data ? data.unit : "issues");
  const cell = (row: Row, [field, , kind]: Column, at: number): Html => {
    const value = own(row, field) ?? null;
    const text = html`${value === null ? "–" : shown[kind](value, base)}`;
    return at === 0 ? html`<th scope="row">${text}</th>` : html`<td${look(kind)}>${text}</td>`;
  };
  return html`${isCounted ? html`<p class="quiet">Nothing here is estimated, so issues are counted.</p>` : ""}<div class="numbers" tabindex="0" role="region" aria-label="${title}, numbers"><table>
      <thead><tr>${columns.map(([, label, kind]) => html`<th scope="col"${look(kind)}>${label}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, ROWS).map((row) => html`<tr>${columns.map((column, at) => cell(row, column, at))}</tr>`)}</tbody></table></div>
    ${rows.length > ROWS ? html`<p class="quiet">The first ${ROWS} of ${rows.length} rows. The file has all.</p>` : ""}`;
}

const isText = (kind: Kind) => kind === "text" || kind === "word" || kind === "issue" || kind === "day";
const look = (kind: Kind): Html | string =>
  kind === "text" ? html` class="long"` : isText(kind) ? "" : html` class="number"`;

const rounded = (value: unknown): string => String(Math.round(Number(value) * 10) / 10);

const shown: Record<Kind, (value: unknown, base: string) => Html | string> = {
  text: (value) => html`<span dir="auto">${String(value)}</span>`,
  word: (value) => words(String(value)),
  issue: (value, base) => html`<a href="${base}/${String(value)}">${String(value)}</a>`,
  day: (value) => html`<time datetime="${String(value)}">${dayInWords(String(value))}</time>`,
  number: rounded,
  percent: (value) => `${rounded(value)} %`,
  days: (value) => `${rounded(value)} d`,
  // Of two days or more, minutes say nothing.
  hours: (value) =>
    Number(value) < 48 ? minutesInWords(Math.round(Number(value) * 60)) : `${rounded(Number(value) / 24)} d`,
  minutes: (value) => minutesInWords(Math.round(Number(value))),
};
