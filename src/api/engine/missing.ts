import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";

/** Characters of a path's part that are shown. */
const MOST_SHOWN = 100;

const KINDS: ReadonlyMap<string, string> = new Map([
  ["slug", "workspace"],
  ["key", "project"],
  ["issueKey", "issue"],
  ["userId", "person"],
]);

/**
 * Ends the call since a part of its path names nothing that the caller may know of. It says which part, and the same for
 * what is hidden as for what does not exist.
 * @param parameter name of the path's parameter
 */
export function refuseMissing(parameter: string, params: Record<string, string>): never {
  const value = own(params, parameter) ?? "";
  const shown = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN).toWellFormed()}…` : value;
  const kind = KINDS.get(parameter);
  const what = kind ? `There is no ${kind} ${shown} here` : `Nothing here has the ${parameter} ${shown}`;
  refuse("not_found", { message: `${what}, or not for you.`, parameter, value: shown });
}
