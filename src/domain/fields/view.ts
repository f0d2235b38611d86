import { z } from "zod";
import { ISSUE_TYPES } from "../issues/rows.ts";
import { deleted, id, timestamp } from "../wire.ts";
import { FIELD_KINDS } from "./rows.ts";

export const CustomFieldDefView = z
  .object({
    id,
    name: z.string(),
    kind: z.enum(FIELD_KINDS),
    options: z.array(z.string()),
    applies_to: z.array(z.enum(ISSUE_TYPES)).meta({ description: "Empty: all types" }),
    required: z.boolean(),
    rank: z.string(),
    description: z.string().nullable(),
    default_value: z.unknown(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    precision: z.number().int().nullable().meta({ description: "Decimals that a number may have" }),
    value_count: z.number().int().meta({ description: "Issues with a value" }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "CustomFieldDef" });
export type CustomFieldDefView = z.output<typeof CustomFieldDefView>;

export const CustomFieldDefDeleted = deleted.extend({ values_deleted: z.number().int() });

export const CustomFieldValueView = z
  .object({
    field_id: id,
    name: z.string(),
    kind: z.enum(FIELD_KINDS),
    value: z.unknown().meta({ description: "null when unset; users and projects as ids" }),
    display_value: z.string().nullable(),
    updated_by: id.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: "CustomFieldValue" });
export type CustomFieldValueView = z.output<typeof CustomFieldValueView>;
