import { own } from "./own.ts";

/** Compares JSON values, to find out what changed and what a call asks to change. */

/**
 * Whether two JSON values are equal. The order of an object's members does not matter; the order of a list does. A
 * member that is `undefined` counts as absent, and -0 as 0, because JSON and Postgres have neither.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, n) => isSame(item, b[n]));
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(own(a as Values, name), own(b as Values, name)));
}

type Values = Record<string, unknown>;

export type Difference = {
  /** Old values of the changed fields. */
  previous: Record<string, unknown>;
  changed: string[];
};

/** The fields of `before` whose values differ in `after`, in the order of `before`, except the fields in `except`. */
export function differenceOf(before: object, after: object, except: readonly string[] = []): Difference {
  const [from, to] = [before as Values, after as Values];
  // Nearly all fields are identical, which takes no further look.
  const changed = Object.keys(before).filter(
    (field) => from[field] !== to[field] && !except.includes(field) && !isSame(from[field], to[field]),
  );
  return { previous: Object.fromEntries(changed.map((field) => [field, from[field]])), changed };
}

/** The fields of `wanted` that are not `undefined` and differ from their current values. */
export function changesTo<Wanted extends object>(current: object, wanted: Wanted): Partial<Wanted> {
  const differing = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && !isSame(value, current[field as keyof typeof current]),
  );
  return Object.fromEntries(differing) as Partial<Wanted>;
}
