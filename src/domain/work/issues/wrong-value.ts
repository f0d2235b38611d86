import { refuse } from "../../kernel/errors.ts";
import { closest } from "../../kernel/text.ts";
import { whereToFind } from "../../kernel/where-to-find.ts";

/** Longer values are cut in messages. */
const SHOWN = 100;

/**
 * Refuses a value of a filter.
 * @param expected completes "… is not"
 * @param allowed the values that would be right
 */
export function wrongValue(parameter: string, value: string, expected: string, allowed?: readonly string[]): never {
  const shown = value.slice(0, SHOWN).toWellFormed();
  const meant = allowed && closest(value, allowed);
  const where = whereToFind(parameter);
  const hint = meant ? ` Did you mean ${meant}?` : where ? ` ${where}` : "";
  refuse("invalid_parameter", {
    message: `${parameter}: ${shown} is not ${expected}.${hint}`,
    parameter,
    value: shown,
    ...(allowed ? { allowed } : {}),
    ...(meant ? { did_you_mean: meant } : {}),
  });
}
