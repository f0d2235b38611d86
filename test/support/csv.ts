/** A strict parser of RFC 4180 for our files. Throws if the format does not allow something. */
export function csvRows(file: string): string[][] {
  const text = file.replace(/^\ufeff/, "");
  const rows: string[][] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)|([^",\r\n]*)(,|\r\n)/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const found = cell.exec(text);
    if (!found) throw new Error(`No CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    const [, quoted, afterQuoted, plain, afterPlain] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain!);
    if ((afterQuoted ?? afterPlain) === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error("The last record does not end.");
  const widths = new Set(rows.map(({ length }) => length));
  if (widths.size > 1) throw new Error(`Records of ${[...widths].join(" and ")} cells.`);
  return rows;
}
