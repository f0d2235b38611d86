import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { readId, referenceKey } from "../../kernel/ids.ts";
import { own } from "../../kernel/own.ts";
import type { Project } from "../../kernel/rows.ts";
import { nameKey } from "../../kernel/text.ts";
import { readInstant } from "../../kernel/wire.ts";
import { findPeople } from "../../tenancy/workspaces/members.sql.ts";
import { wrongValue } from "../issues/wrong-value.ts";
import { firstOf } from "./check-value.ts";
import { fieldNames, findFields } from "./fields.sql.ts";
import type { FieldFilter, Range } from "./filter.sql.ts";
import { MAX_NUMBER } from "./inputs.ts";
import { findVisibleProjects } from "./named.sql.ts";
import { type FieldRow, hasOptions } from "./rows.ts";

/** Filters of lists by the values of custom fields. */

/** The values that are wanted of each field, which is named by id or name. */
export type WantedFields = Record<string, string[]>;

type At = InWorkspace & { readonly project: Pick<Project, "id" | "scoped"> };

/** Filters of one call. More would make the statement long. */
const MAX_FIELDS = 20;
/** Values of one filter. A query is short anyway; a body need not be. */
const MAX_VALUES = 100;

/**
 * Returns the filters, with ids for what they name.
 * @param except ids of fields whose filter is left out
 * @throws Refusal invalid_parameter
 */
export async function readFieldFilters(
  ctx: At,
  wanted: WantedFields = {},
  except: ReadonlySet<string> = new Set(),
): Promise<FieldFilter[]> {
  const refs = Object.keys(wanted);
  if (refs.length === 0) return [];
  if (refs.length > MAX_FIELDS) {
    const message = `customFields: at most ${MAX_FIELDS} fields can be filtered at once.`;
    refuse("invalid_parameter", { message, parameter: "customFields", maximum: MAX_FIELDS });
  }
  const named = await fieldsOf(ctx, refs);
  const filters: FieldFilter[] = [];
  for (const [ref, field] of named) {
    const values = own(wanted, ref) ?? [];
    // As everywhere, an empty list is no limit.
    if (!except.has(field.id) && values.length > 0) filters.push(await filterOf(ctx, ref, field, values));
  }
  return filters;
}

/** Finds the fields by id or name, ignoring case. An id takes precedence over a name that looks like one. */
async function fieldsOf(ctx: At, refs: string[]): Promise<Map<string, FieldRow>> {
  const rows = await findFields(ctx, refs);
  const byRef = new Map(rows.map((field) => [referenceKey(field.name), field]));
  for (const field of rows) byRef.set(field.id, field);
  const found = new Map<string, FieldRow>();
  const spelling = new Map<string, string>();
  for (const ref of refs) {
    const field = byRef.get(referenceKey(ref.trim()));
    if (!field) return wrongValue("customFields", ref, "the name or id of a custom field here", await fieldNames(ctx));
    const other = spelling.get(field.id);
    if (other !== undefined) {
      const message = `customFields: ${other} and ${ref} name the same field. Send only one.`;
      refuse("mutually_exclusive", { message, fields: [other, ref] });
    }
    spelling.set(field.id, ref);
    found.set(ref, field);
  }
  return found;
}

async function filterOf(ctx: At, ref: string, field: FieldRow, sent: string[]): Promise<FieldFilter> {
  const parameter = `customFields.${ref}`;
  if (sent.length > MAX_VALUES) {
    refuse("invalid_parameter", { message: `${parameter}: has more than ${MAX_VALUES} values.`, parameter });
  }
  // An option may be called None.
  const isNone = (value: string) => /^none$/i.test(value) && !field.options.includes(value);
  const values = sent.filter((value) => !isNone(value));
  const { id, kind } = field;
  const isRange = kind === "number" || kind === "date";
  return {
    id,
    kind,
    any: isRange ? [] : await valuesOf(ctx, parameter, field, values),
    ranges: isRange ? values.map((value) => rangeOf(parameter, kind, value)) : [],
    none: values.length < sent.length ? { types: field.applies_to } : null,
  };
}

/** As `flag` reads them. */
const BOOLEANS: Readonly<Record<string, string>> = { true: "true", false: "false", 1: "true", 0: "false" };

async function valuesOf(ctx: At, parameter: string, field: FieldRow, values: string[]): Promise<string[]> {
  if (hasOptions(field.kind)) return values.map((value) => optionOf(parameter, field, value));
  switch (field.kind) {
    case "checkbox":
      return values.map(
        (value) =>
          own(BOOLEANS, value.toLowerCase()) ??
          wrongValue(parameter, value, "true, false or none", ["true", "false", "none"]),
      );
    case "user":
      return usersOf(ctx, parameter, values);
    case "project":
      return projectsOf(ctx, parameter, values);
    case "doc":
      return values.map((value) => readId(value) ?? wrongValue(parameter, value, "the id of a doc, or none"));
    default:
      return values;
  }
}

function optionOf(parameter: string, { options }: FieldRow, value: string): string {
  const exact = options.find((option) => option === value);
  const option = exact ?? options.find((one) => nameKey(one) === nameKey(value));
  return (
    option ?? wrongValue(parameter, value, `one of the field's options (${firstOf(options)})`, [...options, "none"])
  );
}

/** As in the filter by assignee: ids are used as they are, and an address must be known here. */
async function usersOf(ctx: At, parameter: string, values: string[]): Promise<string[]> {
  const wrong = values.find((value) => !readId(value) && value.toLowerCase() !== "me" && !value.includes("@"));
  if (wrong !== undefined) wrongValue(parameter, wrong, "a user id, an e-mail address, me or none");
  const refs = values.filter((value) => !readId(value));
  const people = await findPeople(ctx.db, ctx.workspace.id, refs, ctx.principal, "workspace");
  return values.map(
    (value) =>
      readId(value) ??
      people.get(referenceKey(value))?.id ??
      wrongValue(parameter, value, "the e-mail address of a member whom you can see"),
  );
}

async function projectsOf(ctx: At, parameter: string, values: string[]): Promise<string[]> {
  const refs = values.filter((value) => !readId(value));
  const seen = await findVisibleProjects(ctx, refs);
  return values.map(
    (value) =>
      readId(value) ??
      seen.get(referenceKey(value)) ??
      wrongValue(parameter, value, "a project that you can see, or none"),
  );
}

/**
 * Replaces e-mail addresses of people, and keys of projects, by ids. Then whoever reads the values learns neither, and they
 * mean the same to everybody. Other values stay. Null for an address that is not known here.
 */
export async function valuesById(ctx: At, { kind }: FieldRow, values: string[]): Promise<(string | null)[]> {
  if (kind === "user") {
    const people = await findPeople(ctx.db, ctx.workspace.id, values, ctx.principal, "workspace");
    return values.map((value) => (value.includes("@") ? (people.get(referenceKey(value))?.id ?? null) : value));
  }
  if (kind !== "project") return values;
  const seen = await findVisibleProjects(ctx, values);
  return values.map((value) => seen.get(referenceKey(value)) ?? value);
}

/** `10`, `10..20`, `10..` or `..20`. Both ends belong to the range. */
function rangeOf(parameter: string, kind: "number" | "date", value: string): Range<number | string> {
  const [from = "", to = from, ...more] = value.split("..").map((end) => end.trim());
  if (more.length > 0 || (from === "" && to === "")) wrongRange(parameter, kind, value);
  const read = kind === "number" ? numberOf : dayOf;
  const end = (text: string) => (text === "" ? null : (read(text) ?? wrongRange(parameter, kind, value)));
  const range = { from: end(from), to: end(to) };
  if (range.from !== null && range.to !== null && range.from > range.to) {
    wrongValue(parameter, value, "a range: it ends before it begins");
  }
  return range;
}

const EXPECTED = {
  number: "a number, a range such as 10..20, 10.. or ..20, or none",
  date: "a day, YYYY-MM-DD, a range such as 2026-01-01..2026-01-31, 2026-01-01.. or ..2026-01-31, or none",
};
const wrongRange = (parameter: string, kind: "number" | "date", value: string) =>
  wrongValue(parameter, value, EXPECTED[kind]);

function numberOf(text: string): number | null {
  const number = /^[+-]?\d{1,16}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(number) <= MAX_NUMBER ? number : null;
}

const dayOf = (text: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) ? (readInstant(text)?.slice(0, 10) ?? null) : null;
