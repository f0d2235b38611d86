import { isSame } from "../../kernel/difference.ts";
import { own } from "../../kernel/own.ts";
import type { ActivityLine } from "../../kernel/recorded.ts";

/** Lines of history for an issue's custom fields, one per field. */

type Issue = { custom_fields: Record<string, unknown> };

/** Returns the ids of the fields whose values differ. */
export const changedValues = ({ custom_fields: old }: Issue, { custom_fields: now }: Issue): string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((id) => !isSame(own(old, id), own(now, id)));

/** @param names names of the fields, and of the people and projects that values name, by id */
export function valueLines(old: Issue, now: Issue, names: Map<string, string | null>): ActivityLine[] {
  return changedValues(old, now).map((id) => {
    const [from, to] = [own(old.custom_fields, id) ?? null, own(now.custom_fields, id) ?? null];
    const nameOf = (value: unknown) => (typeof value === "string" ? (names.get(value) ?? null) : null);
    return {
      kind: to === null ? "field_cleared" : "field_set",
      payload: {
        field: `custom_field:${id}`,
        field_name: names.get(id) ?? null,
        from: brief(from),
        to: brief(to),
        from_name: nameOf(from),
        to_name: nameOf(to),
      },
    };
  });
}

const LONG = 500;

/** A long text is not repeated in the history, because its old and new value would double it with each edit. */
const brief = (value: unknown) =>
  typeof value === "string" && value.length > LONG ? `${value.slice(0, LONG).toWellFormed()}…` : value;
