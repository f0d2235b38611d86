/** Values of filters, as parameters and stored filters have them. */

/** Values of one filter. One more is kept, so that too many are refused. */
const MAX_VALUES = 100;

/** Splits a parameter at its commas; `\\,` is a comma within a value. */
export const splitValues = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter(Boolean);

/** The values of a custom field in a view's filter. A text is read like the parameter; a list has whole values. */
export const fieldValues = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MAX_VALUES + 1).map(String) : value === null ? [] : splitValues(String(value));
