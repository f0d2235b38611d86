import { categoryNamed } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { Refusal, refuse, refuseReference } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { closest, nameKey } from "../../kernel/text.ts";
import { findFields } from "../fields/fields.sql.ts";
import { readFieldFilters, valuesById } from "../fields/filter.ts";
import type { FieldRow } from "../fields/rows.ts";
import { columnsOf } from "../issues/board.sql.ts";
import { fieldValues } from "../issues/filter-values.ts";
import { find } from "../issues/references.sql.ts";
import { labelNames, namesOf } from "./named.sql.ts";
import type { SavedViewFilter } from "./view.ts";

/** Filters of saved views as they are stored: with ids, so that they keep their meaning when something is renamed. */

type FieldsWanted = NonNullable<SavedViewFilter["customFields"]>;

/** Texts in a stored filter that may be ids. Old filters may be any JSON. */
const FIELDS = ["statuses", "labels", "sprintId", "milestoneId"] as const;

/**
 * Replaces names of columns, labels and people by their ids. An id that the filter had before may stay, even if its object
 * has been deleted.
 * @throws Refusal invalid_reference
 */
export async function withIds(ctx: InProject, wanted: SavedViewFilter, before: unknown): Promise<SavedViewFilter> {
  const { statuses, labels, assigneeId, sprintId, milestoneId, customFields } = wanted;
  const known = new Set(idsIn(before));
  const found = await find(
    ctx.db,
    { workspaceId: ctx.workspace.id, project: ctx.project, principal: ctx.principal },
    {
      ...{ people: assigneeId && !isWord(assigneeId) ? [assigneeId] : [], hidden: "all", issues: [], releases: [] },
      ...{ labels: labels ?? [], sprints: sprintId ? [sprintId] : [], milestones: milestoneId ? [milestoneId] : [] },
    },
  );
  const kept = (ref: string) => (known.has(readId(ref) ?? "") ? readId(ref) : null);
  const planned = (field: "sprintId" | "milestoneId", ref: string, words: readonly string[], ids: Set<string>) => {
    const word = words.find((one) => one === ref.toLowerCase());
    const id = readId(ref);
    return word ?? (id && ids.has(id) ? id : (kept(ref) ?? refuseReference(`/filter/${field}`, ref)));
  };
  const { sprint_id, milestone_id } = found.planning;
  return {
    ...wanted,
    ...(statuses ? { statuses: await statusesOf(ctx, statuses, kept) } : {}),
    ...(labels
      ? { labels: await labelsOf(ctx, labels, (ref) => found.labels.get(referenceKey(ref))?.id ?? kept(ref)) }
      : {}),
    ...(customFields ? { customFields: await fieldsById(ctx, customFields, known) } : {}),
    ...(assigneeId ? { assigneeId: personIn(assigneeId, found.people) } : {}),
    ...(sprintId ? { sprintId: planned("sprintId", sprintId, ["active", "none"], sprint_id) } : {}),
    ...(milestoneId ? { milestoneId: planned("milestoneId", milestoneId, ["none"], milestone_id) } : {}),
  };
}

/** As in lists: an exact name of a column comes before a category. */
async function statusesOf(ctx: InProject, refs: string[], kept: (ref: string) => string | null): Promise<string[]> {
  const board = await columnsOf(ctx.db, ctx.workspace.id, ctx.project.id);
  const exact = (ref: string) => board.find((column) => column.id === readId(ref) || column.name === ref)?.id;
  const similar = (ref: string) => board.find((column) => nameKey(column.name) === nameKey(ref))?.id;
  return unique(
    refs.map((ref, n) => {
      const status = exact(ref) ?? categoryNamed(ref) ?? similar(ref) ?? kept(ref);
      const names = board.map(({ name }) => name);
      return status ?? refuseNamed(`/filter/statuses/${n}`, ref, names);
    }),
  );
}

async function labelsOf(ctx: InProject, refs: string[], idOf: (ref: string) => string | null): Promise<string[]> {
  const ids = refs.map(idOf);
  const unknown = ids.indexOf(null);
  if (unknown !== -1) refuseNamed(`/filter/labels/${unknown}`, refs[unknown]!, await labelNames(ctx));
  return unique(ids.flatMap((id) => id ?? []));
}

/**
 * Names custom fields by id, and also the people and projects that are their values. Fields that were deleted may stay.
 * @throws Refusal validation_failed for unknown fields and values that they cannot have; invalid_reference for an unknown
 * e-mail address
 */
async function fieldsById(ctx: InProject, wanted: FieldsWanted, known: ReadonlySet<string>): Promise<FieldsWanted> {
  const fields = await findFields(ctx, Object.keys(wanted));
  const fieldOf = (ref: string) => fields.find(({ id, name }) => id === readId(ref) || nameKey(name) === nameKey(ref));
  const gone = (ref: string) => fieldOf(ref) === undefined && known.has(readId(ref) ?? "");
  const live = Object.entries(wanted).filter(([ref]) => !gone(ref));
  try {
    await readFieldFilters(ctx, Object.fromEntries(live.map(([ref, value]) => [ref, fieldValues(value)])));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, details } = error;
    refuse("validation_failed", {
      message,
      errors: [{ ...details, path: "/filter/customFields", code: "not_allowed", message }],
    });
  }
  const named: FieldsWanted = {};
  for (const [ref, value] of Object.entries(wanted)) {
    const field = fieldOf(ref);
    named[field?.id ?? readId(ref) ?? ref] = field ? await withoutNames(ctx, field, value) : value;
  }
  return named;
}

async function withoutNames(ctx: InProject, field: FieldRow, wanted: FieldsWanted[string]) {
  const values = fieldValues(wanted);
  const ids = (await valuesById(ctx, field, values)).map(
    (value, n) => value ?? refuseReference("/filter/customFields", values[n]),
  );
  if (ids.every((id, n) => id === values[n])) return wanted;
  return Array.isArray(wanted) ? ids : ids.join(",");
}

const isWord = (ref: string) => ref.toLowerCase() === "me" || ref.toLowerCase() === "none";

/** An id is used as it is, because issues of people who left the workspace can be found, too. */
function personIn(ref: string, people: Awaited<ReturnType<typeof find>>["people"]): string {
  if (isWord(ref)) return ref.toLowerCase();
  return readId(ref) ?? people.get(referenceKey(ref))?.id ?? refuseReference("/filter/assigneeId", ref);
}

function refuseNamed(path: string, ref: string, allowed: readonly string[]): never {
  const meant = closest(ref, allowed);
  refuseReference(path, ref, { allowed, ...(meant ? { did_you_mean: meant } : {}) });
}

const unique = (ids: string[]) => [...new Set(ids)];

/** Ids of columns, labels, custom fields, sprints and milestones in a stored filter. */
function idsIn(filter: unknown): string[] {
  const fields = new Map(Object.entries(Object(filter)));
  const custom = Object.keys(Object(fields.get("customFields")));
  return [...FIELDS.flatMap((name) => [fields.get(name)].flat()), ...custom].flatMap((ref) =>
    typeof ref === "string" ? (readId(ref) ?? []) : [],
  );
}

/** What stored filters name: the names of what exists, and the ids of what was deleted. One statement for all. */
export async function namedIn(ctx: InProject, filters: readonly unknown[]) {
  const ids = filters.map(idsIn);
  const names = await namesOf(ctx, unique(ids.flat()));
  return ids.map((ofFilter) => ({
    filter_names: Object.fromEntries(ofFilter.flatMap((id) => (names.has(id) ? [[id, names.get(id)!]] : []))),
    filter_deleted: unique(ofFilter.filter((id) => !names.has(id))),
  }));
}
