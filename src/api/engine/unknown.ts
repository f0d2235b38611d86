import { closest } from "../../domain/kernel/text.ts";

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is said of names that a call does not know. */

/** Warnings of one call about what it ignored; nobody reads more. */
export const MOST_WARNINGS = 100;

/** Characters that are shown of a name; a body has room for a name of a million. */
const MOST_SHOWN = 200;

/** The name as it is shown, and the known one that was perhaps meant. */
export function unknownName(name: string, known: readonly string[], what: "field" | "parameter") {
  const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN).toWellFormed()}…` : name;
  const meant = closest(name, known);
  return {
    shown,
    meant: meant ? { did_you_mean: meant } : {},
    message: `${shown} is not a ${what} of this call.${meant ? ` Did you mean ${meant}?` : ""}`,
  };
}
