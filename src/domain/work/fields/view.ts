import { z } from "zod";
import { ISSUE_TYPES } from "../../access/identity/issue-row.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutField, aboutFieldDeleted, aboutValue } from "./descriptions.ts";
import { FIELD_KINDS } from "./rows.ts";

export const CustomFieldDefView = view("CustomFieldDef", aboutField, {
  id,
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  options: z.array(z.string()),
  applies_to: z.array(z.enum(ISSUE_TYPES)),
  required: z.boolean(),
  rank: z.string(),
  description: z.string().nullable(),
  default_value: z.unknown(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  precision: z.number().int().nullable(),
  value_count: z.number().int(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type CustomFieldDefView = z.output<typeof CustomFieldDefView>;

export const CustomFieldDefDeleted = part(aboutFieldDeleted, {
  id,
  deleted: z.literal(true),
  values_deleted: z.number().int(),
});

export const CustomFieldValueView = view("CustomFieldValue", aboutValue, {
  field_id: id,
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  value: z.unknown(),
  display_value: z.string().nullable(),
  updated_by: id.nullable(),
  updated_at: timestamp.nullable(),
});
export type CustomFieldValueView = z.output<typeof CustomFieldValueView>;
