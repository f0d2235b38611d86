import pg from "pg";
import { idsOfPostgres, instantOfPostgres } from "../domain/kernel/row-texts.ts";

/** Conversion of Postgres' values. All replies are in text format. */

const DATE = 1082;
const TIMESTAMPTZ = 1184;
const INT8 = 20;
const NUMERIC = 1700;
const UUID_LIST = 2951;

// biome-ignore lint/suspicious/noExplicitAny: pg types its parsers so
const parsers = new Map<number, any>([
  // A day is no instant, so it stays a text.
  [DATE, String],
  [TIMESTAMPTZ, instantOfPostgres],
  [INT8, Number],
  [NUMERIC, Number],
  [UUID_LIST, idsOfPostgres],
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
