/**
 * What a record holds itself under a name, and never what every object inherits: `table["constructor"]` is a function,
 * `own(table, "constructor")` is undefined. A test refuses every other way to look a text up in a record.
 */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
