import { own } from "../../../domain/kernel/own.ts";
import type { Wanted } from "./filters.ts";

/** Filters of saved views, whose fields have other names than the parameters of the list. */

const LISTS = { issueTypes: "type", priorities: "priority", statuses: "status", labels: "label" } as const;
const SINGLES = { assigneeId: "assignee", sprintId: "sprint", milestoneId: "milestone", q: "q" } as const;

const text = (value: unknown): string =>
  (Array.isArray(value) ? value : [value])
    .filter((one) => typeof one === "string" || typeof one === "number")
    .join(",");

/** The parameters that a view's filter stands for. Old filters may be any JSON. */
export function wantedOfView(filter: unknown): Wanted {
  const stored = new Map(Object.entries(Object(filter)));
  const pairs = Object.entries({ ...LISTS, ...SINGLES }).map(([field, name]) => [name, text(stored.get(field))]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}

export const sortOfView = (filter: unknown): string => text(new Map(Object.entries(Object(filter))).get("sort"));

/** Conditions on custom fields, as the parameter that the API reads. Forms cannot change them, and keep them. */
export function customOfView(filter: unknown): string {
  const { customFields } = Object(filter) as { customFields?: unknown };
  const pairs = Object.entries(Object(customFields)).map(([field, value]) => [field, text(value)]);
  const given = pairs.filter(([, value]) => value !== "");
  return given.length === 0 ? "" : JSON.stringify(Object.fromEntries(given));
}

/** The filter that a view stores for what the list shows. */
export function filterOf(wanted: Wanted, sort: string): object {
  const lists = Object.entries(LISTS).map(([field, name]) => [field, own(wanted, name)?.split(",").filter(Boolean)]);
  const singles = Object.entries(SINGLES).map(([field, name]) => [field, own(wanted, name)]);
  return Object.fromEntries(
    [...lists, ...singles, ["sort", sort || undefined]].filter(([, value]) => value !== undefined),
  );
}

const KEPT: ReadonlySet<string> = new Set([...Object.values(LISTS), ...Object.values(SINGLES)]);

/** Filters of the list that a view cannot store. */
export const lostIn = (wanted: Wanted): string[] => Object.keys(wanted).filter((name) => !KEPT.has(name));
