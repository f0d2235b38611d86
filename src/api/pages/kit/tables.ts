import { type Html, html } from "../../../domain/kernel/html.ts";

/** A table that becomes a list of cards on a narrow screen. The first column names the row. */

export type Column = string | { name: string; number: true };

const nameOf = (column: Column) => (typeof column === "string" ? column : column.name);
const look = (column: Column) => (typeof column === "string" ? "" : html` class="number"`);

export const table = (columns: readonly Column[], rows: readonly (readonly (Html | string)[])[]): Html =>
  html`<table class="stack"><thead><tr>${columns.map((column) => html`<th${look(column)}>${nameOf(column)}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (cells) =>
        html`<tr>${cells.map((cell, at) => html`<td data-label="${nameOf(columns[at]!)}"${look(columns[at]!)}>${cell}</td>`)}</tr>`,
    )}</tbody></table>`;
