import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";

/** The maximum number of characters of a path segment in an error message. */
const MAX_SHOWN = 100;

const KINDS: ReadonlyMap<string, string> = new Map([
  ["slug", "workspace"],
  ["key", "project"],
  ["issueKey", "issue"],
  ["userId", "person"],
]);

/**
 * Rejects the call because the caller can see no object with this name. The message says which parameter it is. It is
 * the same for hidden objects and for objects that do not exist.
 * @param parameter name of the path parameter
 */
export function refuseMissing(parameter: string, params: Record<string, string>): never {
  const value = own(params, parameter) ?? "";
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN).toWellFormed()}…` : value;
  const kind = KINDS.get(parameter);
  const what = kind ? `The ${kind} ${shown}` : `An object with the ${parameter} ${shown}`;
  refuse("not_found", { message: `${what} does not exist, or the caller cannot see it.`, parameter, value: shown });
}
