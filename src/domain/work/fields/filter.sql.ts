import type { IssueType } from "../../access/identity/issue-row.ts";
import type { FieldKind } from "./rows.ts";

/** Conditions of lists about the value of a custom field. */

/** A range of numbers or days, with its ends. */
export type Range<Value> = { from: Value | null; to: Value | null };

/** Which values a list wants of one field. */
export type FieldFilter = {
  id: string;
  kind: FieldKind;
  /** Any of these texts, options or ids. */
  any: string[];
  /** Any of these ranges; only for numbers and days. */
  ranges: Range<number | string>[];
  /** Also issues of types that have the field, but without a value. Types: empty for all. */
  none: { types: IssueType[] } | null;
};

type Param = (value: unknown) => string;

/** Length of the texts in the index of values. The row itself decides about longer ones. */
const INDEXED = 100;

/** The condition on the issue `i`. Nothing but its own row is read. */
export function fieldCondition({ id, kind, any, ranges, none }: FieldFilter, param: Param): string {
  const field = `${param(id)}::text`;
  const value = `(i.custom_fields -> ${field})`;
  const text = `(i.custom_fields ->> ${field})`;
  const parts = ranges.map((range) => within(kind === "number" ? value : `${text} collate "C"`, range, param));
  if (any.length > 0) {
    if (kind === "multi_select") parts.push(`${value} ?| ${param(any)}::text[]`);
    else if (kind === "text" || kind === "url") parts.push(`lower(${text}) = any(${lowered(any, param)})`);
    else parts.push(`${text} = any(${param(any)}::text[])`);
  }
  if (none) {
    const types = none.types.length > 0 ? ` and i.type = any(${param(none.types)}::text[])` : "";
    parts.push(`(not i.custom_fields ? ${field}${types})`);
  }
  return parts.length === 0 ? "false" : `(${parts.join(" or ")})`;
}

/**
 * The ids of all issues with a value that could match, found by an index. The issues' own rows decide: while values of many
 * issues change, these rows may be older.
 */
export function issuesByField({ id, kind, any, ranges }: FieldFilter, param: Param): string {
  const conditions =
    kind === "multi_select"
      ? [`jsonb_typeof(v.value) = 'array' and v.value ?| ${param(any)}::text[]`]
      : kind === "number"
        ? ranges.map((range) => `jsonb_typeof(v.value) = 'number' and ${within("v.value", range, param)}`)
        : [
            ...ranges.map((range) => within(KEY, range, param)),
            ...(any.length > 0 ? [`${KEY} = any(${lowered(any, param, INDEXED)})`] : []),
          ];
  return `select v.issue_id from custom_field_value v
    where v.workspace_id = $1 and v.field_id = ${param(id)}::uuid and (${conditions.join(" or ")})`;
}

/** As in the index `custom_field_value_text`. */
const KEY = `left(lower(v.value #>> '{}'), ${INDEXED}) collate "C"`;

function within(value: string, { from, to }: Range<number | string>, param: Param): string {
  const bound = (limit: number | string) =>
    typeof limit === "number" ? `to_jsonb(${param(limit)}::numeric)` : `${param(limit)}::text`;
  const parts = [
    ...(from === null ? [] : [`${value} >= ${bound(from)}`]),
    ...(to === null ? [] : [`${value} <= ${bound(to)}`]),
  ];
  return `(${parts.join(" and ")})`;
}

/** Lower case as Postgres has it, which differs from JavaScript's for a few letters. */
function lowered(texts: string[], param: Param, length?: number): string {
  const one = (text: string) => (length ? `left(lower(${text}), ${length})` : `lower(${text})`);
  return `array[${texts.map((text) => one(`${param(text)}::text`)).join(", ")}]`;
}
