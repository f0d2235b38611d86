/**
 * Makes rows from the bytes in which Postgres sends them: the number of columns (2 bytes), then of each column its length
 * (4 bytes, -1 for null) and its text. For each statement a function is generated once. No part of a request is in its
 * code.
 */

export type Field = { name: string; dataTypeID: number };
type Parse = (text: string) => unknown;
export type ParserOf = (oid: number) => Parse;
export type MakeRow = (bytes: Buffer, start: number, end: number) => object;

const TEXT = 25;
const VARCHAR = 1043;
const UUID = 2950;
const UUID_LIST = 2951;
const INT2 = 21;
const INT4 = 23;
const JSONB = 3802;

/** Rows as objects, with values as the parsers make them. */
export function rowMaker(fields: readonly Field[], parserOf: ParserOf): MakeRow {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  const columns = fields.map(({ dataTypeID }, at) => column(at, reading(dataTypeID, at)));
  const code = `return function (b, start) { let o = start + 2, l = 0; ${columns.join("")} ${returning(fields)} };`;
  return new Function("p", "length", "int", code)(parsers, lengthAt, intAt) as MakeRow;
}

/** Rows as objects, with each column as Postgres wrote it: one character a byte. */
export function textsMaker(fields: readonly Field[]): MakeRow {
  const columns = fields.map((_, at) => column(at, "s.substring(o - start, o - start + l)"));
  // One text for all columns: a part of it costs less than a text of its own.
  const row = `const s = b.latin1Slice(start, end); let o = start + 2, l = 0;`;
  const code = `return function (b, start, end) { ${row} ${columns.join("")} ${returning(fields)} };`;
  return new Function("length", code)(lengthAt) as MakeRow;
}

const column = (at: number, value: string): string => `
  let c${at} = null;
  l = length(b, o);
  o += 4;
  if (l !== -1) { c${at} = ${value}; o += l; }`;

const returning = (fields: readonly Field[]): string =>
  `return { ${fields.map(({ name }, at) => `${JSON.stringify(name)}: c${at}`).join(", ")} };`;

/** Code that reads a value of `l` bytes at `o`. Texts without letters beyond ASCII are made in the cheaper way. */
function reading(oid: number, at: number): string {
  if (oid === INT2 || oid === INT4) return "int(b, o, l)";
  if (oid === TEXT || oid === VARCHAR) return "b.utf8Slice(o, o + l)";
  if (oid === UUID) return "b.latin1Slice(o, o + l)";
  if (oid === UUID_LIST) return `l === 2 ? [] : p[${at}](b.latin1Slice(o, o + l))`;
  const parsed = `p[${at}](b.utf8Slice(o, o + l))`;
  return oid === JSONB ? `l === 2 && b[o] === ${"{".charCodeAt(0)} ? {} : ${parsed}` : parsed;
}

/** A length, or -1. Bitwise operators make it negative. */
const lengthAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

const MINUS = 45;
const ZERO = 48;

function intAt(bytes: Uint8Array, at: number, length: number): number {
  const isNegative = bytes[at] === MINUS;
  let value = 0;
  for (let next = isNegative ? at + 1 : at; next < at + length; next++) value = value * 10 + bytes[next]! - ZERO;
  return isNegative ? -value : value;
}
