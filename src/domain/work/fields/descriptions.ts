import { countOf, idOf, positionFields, RANK, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of custom fields and their values, for the API description. */

const definition = {
  name: ["Name of the field, unique in the project (ignoring case).", "Browser"],
  kind: ["Kind of the field's values.", "select"],
  options: ["Values to choose from, for `select` and `multi_select`. Else empty.", ["Chrome", "Firefox", "Safari"]],
  applies_to: ["Issue types that have the field. Empty for all types.", ["bug"]],
  required: ["Whether an issue should have a value. A missing one is a warning, not an error."],
  description: ["What the field is for. `null` if not described.", "Where the problem was seen"],
  default_value: ["Value of new issues for which none is sent. `null` if none.", null],
  min: ["Smallest value, for `number`. `null` if there is no limit.", null],
  max: ["Largest value, for `number`. `null` if there is no limit.", null],
  precision: ["Maximum number of decimal places, for `number`. `null` if there is no limit.", null],
} as const;

export const aboutField = {
  ...definition,
  id: idOf("field", "field"),
  rank: RANK,
  value_count: countOf("Number of issues that have a value.", 12),
  ...timesOf("field"),
} as const;

export const aboutFieldInput = { ...definition, ...positionFields("field") } as const;

export const aboutFieldDeleted = {
  id: idOf("field", "field"),
  deleted: ["Always `true`."],
  values_deleted: countOf("Number of issues that lost their value.", 12),
} as const;

export const aboutValue = {
  field_id: ["The custom field. Values in `custom_fields` of issues have it as their key.", SAMPLE.field],
  name: ["What people see as the field's name. It is unique in the project, and filters take it.", "Browser"],
  kind: ["Kind of the field's values.", "select"],
  value: ["Value of the field for the issue; users and projects as ids. `null` if not set.", "Safari"],
  display_value: ["Value as text for people. `null` if not set.", "Safari"],
  updated_by: userId("User id of the person or agent who last set the value. `null` if never set."),
  updated_at: ["When the value was last set. `null` if never.", "2026-01-16T14:05:12.480Z"],
} as const;

export const aboutValueInput = {
  value: [
    "New value, of the field's kind: a text, a number, a boolean, an option, a list of options, a day, or an id. `null` clears it.",
    "Safari",
  ],
} as const;
