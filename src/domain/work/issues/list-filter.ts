import { createHash } from "node:crypto";
import type { InProject } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import type { WantedFields } from "../fields/filter.ts";
import { readSavedView } from "../saved-views/saved-views.sql.ts";
import type { IssueFilter } from "./list.ts";
import { SORTS, type Sort } from "./orders.ts";

/** Filters of an issue list, from its parameters or from a saved view. */

export const FILTERS = [
  ...(["status", "assignee", "reporter", "label", "priority", "type"] as const),
  ...(["sprint", "milestone", "release", "parent", "epic"] as const),
];
/** Filters of one value. */
export const ALONE = ["q", "due_before", "updated_since"] as const;

/** The requested values of each filter. */
export type Wanted = Partial<Record<(typeof FILTERS)[number], string[]> & Record<(typeof ALONE)[number], string>> & {
  customFields?: WantedFields;
};

/** Trims a value, and converts our own keywords to lower case. */
export const plainWord = (value: string): string => {
  const text = value.trim();
  return /^(none|active)$/i.test(text) ? text.toLowerCase() : text;
};

/** Splits a parameter at its commas; `\\,` is a comma within a value. */
const splitValues = (text: string): string[] =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter(Boolean);

/** Returns the filters that the parameters of a list name. */
export function wantedOf({ customFields, ...query }: IssueFilter): Wanted {
  const lists = FILTERS.map((name) => [name, query[name] && splitValues(query[name]).map(plainWord)] as const);
  const fields =
    customFields && Object.fromEntries(Object.entries(customFields).map(([name, text]) => [name, splitValues(text)]));
  const all = [...lists, ...ALONE.map((name) => [name, query[name]] as const), ["customFields", fields] as const];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/**
 * Keys of a saved view's filter that this service understands, and the filters they set. Other keys belong to the
 * client.
 */
const OF_VIEWS = {
  issueTypes: "type",
  priorities: "priority",
  statuses: "status",
  labels: "label",
  assigneeId: "assignee",
  sprintId: "sprint",
  milestoneId: "milestone",
} as const;

const MAX_VALUES = 100;
const MAX_TEXT = 200;

type ViewFilter = {
  wanted: Wanted;
  sort: Sort | undefined /** Another one for all else that is asked for. */;
  mark: string;
};

/**
 * Returns the filter of a saved view that the caller can see. The filter may be any JSON; values that are not text are
 * ignored.
 * @throws Refusal invalid_parameter
 */
export async function readViewFilter(ctx: InProject, ref: string): Promise<ViewFilter> {
  const id = readId(ref.trim());
  const view = id && (await readSavedView(ctx, id));
  if (!view) {
    refuse("invalid_parameter", { message: "view: the view does not exist, or you cannot see it.", parameter: "view" });
  }
  const filter = new Map(Object.entries(Object(view.filter)));
  const wanted: Wanted = {};
  for (const [key, field] of Object.entries(OF_VIEWS)) {
    const values = textsIn(filter.get(key));
    if (values.length > 0) wanted[field] = values;
  }
  const [q] = textsIn(filter.get("q"));
  if (q) wanted.q = q;
  const fields = Object.entries(Object(filter.get("customFields"))).map(([name, value]) => [name, fieldValues(value)]);
  if (fields.length > 0) wanted.customFields = Object.fromEntries(fields);
  const sort = SORTS.find((sort) => sort === filter.get("sort"));
  const mark = createHash("sha256")
    .update(JSON.stringify([wanted, sort]))
    .digest("base64url")
    .slice(0, 8);
  return { wanted, sort, mark };
}

/** A text is read like the parameter; a list has whole values. */
const fieldValues = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MAX_VALUES + 1).map(String) : value === null ? [] : splitValues(String(value));

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value])
    .filter((text) => typeof text === "string" && text.length <= MAX_TEXT)
    .map(plainWord)
    .filter(Boolean);
