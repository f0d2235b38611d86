/**
 * Returns a record's own value for a name, never an inherited one: `table["constructor"]` is a function, `own(table,
 * "constructor")` is undefined. A test rejects every other lookup of a text in a record.
 */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
