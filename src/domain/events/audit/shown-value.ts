import type { AuditChanges } from "../../kernel/audit-entry.ts";
import { shorten } from "../../kernel/text.ts";

/** Longest text of an entry, in characters. */
export const MAX_TEXT = 200;
/** A list or object is stored as it is if its JSON is no longer, in characters. */
const MAX_JSON = 1_000;
const MAX_ITEMS = 20;
/** Above this length of all values together, as JSON in characters, each becomes a short text. */
const MAX_CHANGES = 8_000;
const SHORT_TEXT = 80;

/** The changes as an entry shows them. */
export function shownChanges(changes: AuditChanges): AuditChanges {
  const shown = Object.entries(changes).map(([field, [from, to]]) => [
    field,
    shownValue(from, field),
    shownValue(to, field),
  ]);
  const cut = (value: unknown) => (value === null ? null : shorten(textOf(value), SHORT_TEXT));
  const fit = JSON.stringify(shown).length <= MAX_CHANGES;
  return Object.fromEntries(shown.map(([field, from, to]) => [field, fit ? [from, to] : [cut(from), cut(to)]]));
}

/** A field's value as an entry shows it: long texts are cut, and long lists and objects shortened. */
function shownValue(value: unknown, field: string): unknown {
  if (typeof value === "string") return shorten(field === "url" ? withoutPath(value) : value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value ?? null;
  // Addresses inside of lists and objects are those of actions.
  const json = JSON.stringify(value, (name, one) =>
    name === "url" && typeof one === "string" ? withoutPath(one) : one,
  );
  const shown = JSON.parse(json) as unknown;
  if (json.length <= MAX_JSON) return shown;
  if (!Array.isArray(shown)) return shorten(json, MAX_TEXT);
  const items = shown.slice(0, MAX_ITEMS).map((item) => shorten(textOf(item), MAX_TEXT));
  return shown.length > MAX_ITEMS ? [...items, `… and ${shown.length - MAX_ITEMS} more`] : items;
}

const textOf = (item: unknown) => (typeof item === "string" ? item : JSON.stringify(item));

/** The address of a receiver without its path, which is often a secret. */
export function withoutPath(url: string): string {
  const origin = URL.parse(url)?.origin;
  return origin && origin !== "null" ? `${origin}/…` : "…";
}
