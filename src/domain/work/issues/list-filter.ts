import { createHash } from "node:crypto";
import type { InProject } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId } from "../../kernel/ids.ts";
import { lengthOf } from "../../kernel/text.ts";
import type { WantedFields } from "../fields/filter.ts";
import { readSavedView } from "../saved-views/saved-views.sql.ts";
import { namedIn } from "../saved-views/stored-filter.ts";
import { fieldValues, splitValues } from "./filter-values.ts";
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

/** Returns the filters that the parameters of a list name. */
export function wantedOf({ customFields, ...query }: IssueFilter): Wanted {
  const lists = FILTERS.map((name) => [name, query[name] && splitValues(query[name]).map(plainWord)] as const);
  const fields =
    customFields && Object.fromEntries(Object.entries(customFields).map(([name, text]) => [name, splitValues(text)]));
  const all = [...lists, ...ALONE.map((name) => [name, query[name]] as const), ["customFields", fields] as const];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Fields of a saved view's filter, and the filters they set. Old views may have other fields, too. */
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
  /** Whether it cannot match any issue, because it filters by a field that was deleted. */
  matchesNone: boolean;
  sort: Sort | undefined;
  /** Another one for all else that is asked for. */
  mark: string;
};

/**
 * Returns the filter of a saved view that the caller can see. Old filters may be any JSON; values that are not text are
 * ignored. Adds a warning if the filter names something that was deleted.
 * @throws Refusal invalid_parameter
 */
export async function readViewFilter(ctx: InProject, ref: string): Promise<ViewFilter> {
  const id = readId(ref.trim());
  const view = id && (await readSavedView(ctx, id));
  if (!view) {
    refuse("invalid_parameter", { message: "view: the view does not exist, or you cannot see it.", parameter: "view" });
  }
  const filter = new Map(Object.entries(Object(view.filter)));
  const deleted = await warnOfDeleted(ctx, view.filter);
  const wanted: Wanted = {};
  for (const [key, field] of Object.entries(OF_VIEWS)) {
    const values = textsIn(filter.get(key));
    if (values.length > 0) wanted[field] = values;
  }
  const [q] = textsIn(filter.get("q"));
  if (q) wanted.q = q;
  const named = Object.entries(Object(filter.get("customFields")));
  const fields = named.filter(([ref]) => !deleted.includes(ref)).map(([ref, value]) => [ref, fieldValues(value)]);
  if (fields.length > 0) wanted.customFields = Object.fromEntries(fields);
  const sort = SORTS.find((sort) => sort === filter.get("sort"));
  const mark = createHash("sha256")
    .update(JSON.stringify([wanted, sort]))
    .digest("base64url")
    .slice(0, 8);
  return { wanted, matchesNone: fields.length < named.length, sort, mark };
}

/** A view stays usable if a column or label of its filter is deleted. Then it shows fewer issues, and says why. */
async function warnOfDeleted(ctx: InProject, filter: unknown): Promise<string[]> {
  const [named] = await namedIn(ctx, [filter]);
  const ids = named?.filter_deleted ?? [];
  if (ids.length === 0) return ids;
  const message =
    "The view's filter names columns, labels, fields, sprints or milestones that were deleted. They match no issue. Change the view's filter.";
  ctx.warnings.push({ code: "view_names_deleted", message, parameter: "view", ids });
  return ids;
}

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value])
    .filter((text): text is string => typeof text === "string" && lengthOf(text) <= MAX_TEXT)
    .map(plainWord)
    .filter(Boolean);
