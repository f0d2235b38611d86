import pg from "pg";

/** Conversion of Postgres' values. All replies are in text format. */

const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const UUID_LIST = 2951;

// biome-ignore lint/suspicious/noExplicitAny: pg types its parsers so
const parsers = new Map<number, any>([
  [TIMESTAMPTZ, rfc3339],
  [INT8, Number],
  [NUMERIC, Number],
  [UUID_LIST, uuidList],
]);

/** Called for every column of every reply, so results are cached. */
export function getTypeParser(oid: number) {
  let parser = parsers.get(oid);
  if (!parser) {
    parser = pg.types.getTypeParser(oid);
    parsers.set(oid, parser);
  }
  return parser;
}

/**
 * Converts `2026-01-02 03:04:05.67+00`, Postgres' form of UTC, to `2026-01-02T03:04:05.670Z`. Half the cost of a
 * Date.
 */
function rfc3339(text: string): string {
  if (text.length === WITH_MILLISECONDS) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : "";
  return `${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
}

const WITH_MILLISECONDS = "2026-01-02 03:04:05.678+00".length;

/**
 * Parses an array of uuids, which needs no quoting and contains no nulls. A tenth of the cost of the general parser.
 */
function uuidList(text: string): string[] {
  return text === "{}" ? [] : text.slice(1, -1).split(",");
}
