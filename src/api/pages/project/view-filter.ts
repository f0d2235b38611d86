import { own } from "../../../domain/kernel/own.ts";
import { CUSTOM, escaped, unescaped, valuesIn, type Wanted } from "./filters.ts";

/** Filters of saved views, whose fields have other names than the parameters of the list. */

const LISTS = { issueTypes: "type", priorities: "priority", statuses: "status", labels: "label" } as const;
const SINGLES = { assigneeId: "assignee", sprintId: "sprint", milestoneId: "milestone", q: "q" } as const;

const text = (value: unknown): string =>
  (Array.isArray(value) ? value : [value])
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .join(",");

/** The parameters that a view's filter stands for. Old filters may be any JSON. */
export function wantedOfView(filter: unknown): Wanted {
  const stored = new Map(Object.entries(Object(filter)));
  const plain = Object.entries({ ...LISTS, ...SINGLES }).map(([field, name]) => [name, text(stored.get(field))]);
  const custom = Object.entries(Object(stored.get("customFields"))).map(([id, value]) => [
    CUSTOM + id,
    Array.isArray(value) ? value.map((one) => escaped(text(one))).join(",") : text(value),
  ]);
  const pairs = [...plain, ...custom];
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}

export const sortOfView = (filter: unknown): string => text(new Map(Object.entries(Object(filter))).get("sort"));

/** The filter that a view stores for what the list shows. */
export function filterOf(wanted: Wanted, sort: string): object {
  const lists = Object.entries(LISTS).map(([field, name]) => [field, own(wanted, name)?.split(",").filter(Boolean)]);
  const singles = Object.entries(SINGLES).map(([field, name]) => [field, own(wanted, name)]);
  const custom = Object.entries(wanted)
    .filter(([name]) => name.startsWith(CUSTOM))
    .map(([name, value]) => [name.slice(CUSTOM.length), valuesIn(value).map(unescaped)]);
  const customFields = custom.length > 0 ? Object.fromEntries(custom) : undefined;
  return Object.fromEntries(
    [...lists, ...singles, ["customFields", customFields], ["sort", sort || undefined]].filter(
      ([, value]) => value !== undefined,
    ),
  );
}

const KEPT: ReadonlySet<string> = new Set([...Object.values(LISTS), ...Object.values(SINGLES)]);

/** Filters of the list that a view cannot store. */
export const lostIn = (wanted: Wanted): string[] =>
  Object.keys(wanted).filter((name) => !KEPT.has(name) && !name.startsWith(CUSTOM));
