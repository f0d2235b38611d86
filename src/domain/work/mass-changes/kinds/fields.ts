import { CUSTOM_FIELD } from "../../../access/agents/field-policy.ts";
import { type FieldKind, namesSomething, type StoredValue } from "../../fields/rows.ts";
import { dropValues, replaceValues } from "../items.sql.ts";
import type { ComparedKind } from "../kinds.ts";

/** What a deleted field was. */
export type FieldData = { kind: FieldKind };

/** How the options of a field changed. */
export type OptionsData = FieldData & {
  /** Whether an issue may have several of them. */
  multi: boolean;
  /** The new options, in their order. */
  options: string[];
  /** Old options that are gone, or are spelled differently now. */
  dropped: string[];
  /** Old option → its new spelling; null if it is gone. */
  becomes: Record<string, string | null>;
};

const fieldOf: ComparedKind["fieldOf"] = ({ target_id }) => `${CUSTOM_FIELD}${target_id}`;

/** The values of a deleted field are removed. */
export const field: ComparedKind = {
  toCome: "i.id in (select v.issue_id from only custom_field_value v where v.field_id = m.target_id)",
  fieldOf,
  changesOf({ custom_fields }, { target_id }) {
    const { [target_id]: value, ...rest } = custom_fields;
    return value === undefined ? null : { custom_fields: rest };
  },
  write: dropValues,
  named: ({ custom_fields }, { target_id, data }) => [
    target_id,
    ...(namesSomething((data as FieldData).kind) ? [String(custom_fields[target_id])] : []),
  ],
};

/** Options that are gone are removed from values. An option that only changes its spelling stays. */
export const options: ComparedKind = {
  toCome: `i.id in (select v.issue_id from only custom_field_value v where v.field_id = m.target_id
                    and v.value ?| array(select jsonb_array_elements_text(m.data -> 'dropped')))`,
  fieldOf,
  changesOf({ custom_fields }, { target_id, data }) {
    const { [target_id]: value, ...rest } = custom_fields;
    const left = value === undefined ? undefined : optionsLeft(value as StoredValue, data as OptionsData);
    if (left === undefined) return null;
    return { custom_fields: left === null ? rest : { ...rest, [target_id]: left } };
  },
  write: replaceValues,
  named: (_, { target_id }) => [target_id],
};

/** The value with the options that are left; null without any, undefined if it stays as it is. */
function optionsLeft(value: StoredValue, data: OptionsData): StoredValue | null | undefined {
  const chosen = [value].flat().map(String);
  if (!chosen.some((option) => data.dropped.includes(option))) return undefined;
  const becomes = new Map(Object.entries(data.becomes));
  const kept = data.options.filter((option) => chosen.some((old) => becomes.get(old) === option));
  if (kept.length === 0) return null;
  return data.multi ? kept : kept[0]!;
}
