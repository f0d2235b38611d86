import { readId } from "../../kernel/ids.ts";
import type { Wanted } from "./list-filter.ts";
import { wrongValue } from "./wrong-value.ts";

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

/** The issues that filters name. */
export const issuesIn = ({ parent, epic }: Wanted) => [...named("parent", parent), ...named("epic", epic)];

function named(parameter: string, values: string[] = []): string[] {
  const refs = values.filter((ref) => ref !== "none");
  const wrong = refs.find((ref) => !readId(ref) && !/^[A-Za-z][A-Za-z0-9]{0,9}-\d{1,9}$/.test(ref));
  if (wrong !== undefined) wrongValue(parameter, wrong, "an issue id, a key such as WEB-1, or none");
  return refs;
}

/** The people that filters name: ids, e-mail addresses and `me`. */
export function peopleIn({ assignee, reporter }: Wanted): string[] {
  const expected = {
    assignee: "a user id, an e-mail address, me or none",
    reporter: "a user id, an e-mail address or me",
  };
  const check = (parameter: keyof typeof expected, values: string[] = [], words: string[] = []) => {
    const refs = values.filter((ref) => !words.includes(ref));
    const wrong = refs.find((ref) => !readId(ref) && ref.toLowerCase() !== "me" && !ref.includes("@"));
    if (wrong !== undefined) wrongValue(parameter, wrong, expected[parameter]);
    return refs;
  };
  return [...check("assignee", assignee, ["none"]), ...check("reporter", reporter)];
}
