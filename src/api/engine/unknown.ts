import { nameMeant } from "./name-meant.ts";

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Messages about unknown names in a call. */

/** The maximum number of warnings per call. */
export const MAX_WARNINGS = 100;

/** The maximum number of characters of a name in a message. A body may contain names of a million characters. */
const MAX_SHOWN = 200;

/** A message lists the known names if there are no more than this. */
const MAX_LISTED = 10;

export const shownName = (name: string): string =>
  name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;

/**
 * The name as shown, and the known name that was probably meant.
 * @param missing a required field that was not sent, which is the best guess if no name is similar
 */
export function unknownName(name: string, known: readonly string[], what: "field" | "parameter", missing?: string) {
  const shown = shownName(name);
  const meant = nameMeant(name, known) ?? missing;
  const isListed = known.length > 0 && known.length <= MAX_LISTED;
  const hint = meant ? ` Did you mean ${meant}?` : isListed ? ` The call takes ${known.join(", ")}.` : "";
  return {
    shown,
    meant: meant ? { did_you_mean: meant } : {},
    message: `${shown} is not a ${what} of this call.${hint}`,
  };
}
