import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { choices, hidden, type Option, select, textField } from "../kit/fields.ts";
import { chips, fold } from "../kit/pieces.ts";
import { dayInWords } from "../kit/times.ts";
import type { WorkspaceCall } from "../site/site.ts";
import {
  type Choices,
  columnsOf,
  labelsOf,
  milestonesOf,
  peopleOf,
  releasesOf,
  STATES,
  sprintsOf,
  TYPES,
  URGENCIES,
} from "./choices.ts";

/** The filters of the API as people see them: chips that can be removed, and a form that sets them all. */

type Filter = {
  label: string;
  options: (all: Choices) => Option[];
  many?: boolean;
  /** Is typed, with this hint. */
  hint?: string;
};
const only = (value: string, label: string): Option => ({ value, label });

const ALL: Record<string, Filter> = {
  status: { label: "Column", options: (all) => [...columnsOf(all)], many: true },
  type: { label: "Type", options: () => TYPES, many: true },
  priority: { label: "Priority", options: () => URGENCIES, many: true },
  label: { label: "Label", options: labelsOf, many: true },
  assignee: { label: "Assignee", options: (all) => [only("me", "Me"), only("none", "Nobody"), ...peopleOf(all)] },
  reporter: { label: "Reporter", options: (all) => [only("me", "Me"), ...peopleOf(all)] },
  sprint: {
    label: "Sprint",
    options: (all) => [only("active", "The active one"), only("none", "None"), ...sprintsOf(all)],
  },
  milestone: { label: "Milestone", options: (all) => [only("none", "None"), ...milestonesOf(all)] },
  release: { label: "Release", options: (all) => [only("none", "None"), ...releasesOf(all)] },
  parent: { label: "Parent", options: () => [only("none", "None")], hint: "The key of an issue, or none." },
  epic: { label: "Epic", options: () => [only("none", "None")], hint: "The key of an epic, or none." },
  ready: { label: "Ready", options: () => [only("true", "I could start now")] },
};

/** Begins the names of filters by fields of the project's own; then comes the field's id. */
export const CUSTOM = "customFields.";

/** Projects and docs are named by id only, which nobody types. */
function filterNamed(name: string, { fields = [] }: Choices): Filter | undefined {
  if (!name.startsWith(CUSTOM)) return own(ALL, name);
  const field = fields.find(({ id }) => id === name.slice(CUSTOM.length));
  if (!field) return { label: "A field", options: () => [] };
  const { name: label, kind, options } = field;
  if (kind === "select" || kind === "multi_select") {
    const listed = options.map((option) => ({ value: escaped(option), label: option }));
    return { label, options: () => [only("none", "None"), ...listed], many: true };
  }
  if (kind === "checkbox") return { label, options: () => [only("true", "Yes"), only("false", "No")] };
  if (kind === "user") return { label, options: (all) => [only("me", "Me"), only("none", "Nobody"), ...peopleOf(all)] };
  return { label, options: () => [only("none", "None")], hint: HINTS.get(kind) ?? "A value, or none." };
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ["number", "A number, a range such as 1..5, or none."],
  ["date", "A day such as 2030-01-31, a range of days with .. between, or none."],
]);

/** A comma separates values; one within a value is escaped. */
export const escaped = (value: string): string => value.replaceAll(",", "\\,");
export const valuesIn = (text: string): string[] => text.split(/(?<!\\),/).filter((part) => part.trim() !== "");
export const unescaped = (value: string): string => value.replaceAll("\\,", ",");

export type Wanted = Record<string, string>;
export const LIST_FILTERS = [...Object.keys(ALL), "q", "due_before", "updated_since"];
export const BOARD_FILTERS = LIST_FILTERS.filter((name) => name !== "status" && name !== "ready");

/** A parameter of the page's address; after a refused form, of the page that the form was on. */
export function parameterOf({ form, query }: WorkspaceCall, name: string): string {
  const filters = form.text("filters");
  return (filters === "" ? query(name) : (new URLSearchParams(filters).get(name) ?? "")).trim();
}

/** The filters of the page. A field that its address has several times has several values. */
export function wantedOf(call: WorkspaceCall, names: readonly string[]): Wanted {
  const filters = call.form.text("filters");
  const given = filters === "" ? Object.keys(call.request.query) : [...new URLSearchParams(filters).keys()];
  const all = [...names, ...given.filter((name) => name.startsWith(CUSTOM))];
  return Object.fromEntries(all.map((name) => [name, parameterOf(call, name)]).filter(([, value]) => value !== ""));
}

/** A path with parameters; empty ones are left out. */
export function address(path: string, parameters: Record<string, string | null | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

type About = {
  wanted: Wanted;
  names: readonly string[];
  all: Choices;
  path: string;
  /** Further parameters that the links and the form keep. */
  keep?: Record<string, string>;
};

/** Each chip has the address of all the others, so many long ones would be a page of many megabytes. */
const MOST_CHARACTERS = 300_000;

/** What the list is filtered by, each value with the link that removes it. */
export function filterChips({ wanted, all, path, keep = {} }: About): Html | string {
  const filters = Object.entries(wanted).map(([name, text]) => ({
    name,
    label: labelOf(name, all),
    values: filterNamed(name, all) ? valuesIn(text) : [text],
  }));
  const without = (name: string, left: string) => address(path, { ...keep, ...wanted, [name]: left });
  const room = MOST_CHARACTERS / without("", "").length;
  const number = filters.reduce((sum, { values }) => sum + values.length, 0);
  if (filters.length > room) return chips([{ text: counted(number, "filter"), href: address(path, keep) }], null);
  const found = filters.flatMap(({ name, label, values }) =>
    number > room
      ? [{ text: `${label}: ${counted(values.length, "value")}`, href: without(name, "") }]
      : values.map((value) => ({
          text: `${label}: ${wordOf(name, value, all)}`,
          href: without(name, values.filter((other) => other !== value).join(",")),
        })),
  );
  return chips(found, found.length > 1 ? address(path, keep) : null);
}

const OTHERS: Record<string, string> = { q: "Words", due_before: "Due before", updated_since: "Changed since" };
const labelOf = (name: string, all: Choices): string => filterNamed(name, all)?.label ?? own(OTHERS, name) ?? name;

function wordOf(name: string, value: string, all: Choices): string {
  if (name === "q") return `“${value}”`;
  const filter = filterNamed(name, all);
  if (!filter) return Number.isNaN(Date.parse(value)) ? value : dayInWords(value);
  const options = name === "status" ? [...filter.options(all), ...STATES] : filter.options(all);
  return options.find((option) => option.value === value)?.label ?? unescaped(value);
}

const customNames = ({ fields = [] }: Choices): string[] =>
  fields.filter(({ kind }) => kind !== "project" && kind !== "doc").map(({ id }) => CUSTOM + id);

/** All filters at once. Without values it is folded. */
export function filterForm({ wanted, names, all, path, keep = {} }: About, more: Html | string = ""): Html {
  const field = (name: string) => {
    const filter = filterNamed(name, all);
    const prefix = "filter-";
    const value = own(wanted, name) ?? "";
    if (name === "q") return textField({ name, label: "Words", value, type: "search", max: 200, prefix });
    if (!filter) return textField({ name, label: labelOf(name, all), type: "date", value: value.slice(0, 10), prefix });
    const { label, hint } = filter;
    if (hint) return textField({ name, label, hint, value, max: 200, prefix });
    const values = valuesIn(value);
    const options = filter.options(all);
    const unknown = values.filter((one) => !options.some((option) => option.value === one));
    const shown = [...options, ...unknown.map((one) => only(one, wordOf(name, one, all)))];
    if (filter.many && options.length === 0 && unknown.length === 0) return "";
    if (filter.many) return choices({ name, label: filter.label, options: shown, values, prefix });
    const several = values.length > 1 ? [only(value, "Several")] : [];
    return select({ name, label: filter.label, value, options: [...several, ...shown], none: "Any", prefix });
  };
  return fold(
    "Filter",
    html`<form class="filters" action="${path}">${Object.entries(keep).map(([name, value]) => hidden(name, value))}
      ${[...names, ...customNames(all)].map(field)}${more}<div class="whole"><button class="second">Show</button></div></form>`,
  );
}
