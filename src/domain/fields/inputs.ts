import { z } from "zod";
import { issueType, rank } from "../issues/inputs.ts";
import { choice, line, reference, text } from "../wire.ts";
import { FIELD_KINDS } from "./rows.ts";

/** Bodies of the custom-field calls, named as the specification names them. */

/** What a double holds with some decimals to spare. */
export const MOST = 1e15;

const bound = z.number().min(-MOST).max(MOST).nullable().optional();

const options = z
  .array(line(1, 60))
  .max(100)
  .refine((all) => new Set(all.map((option) => option.toLowerCase())).size === all.length, {
    message: "must be different",
    params: { code: "duplicate" },
  });

const shared = {
  options: options.optional().describe("For select and multi_select: 1 to 100"),
  applies_to: z.array(issueType).max(20).optional().describe("Empty: all types"),
  required: z.boolean().optional(),
  description: text(0, 300).nullable().optional(),
  default_value: z.unknown().optional().describe("Value of new issues that send none"),
  min: bound,
  max: bound,
  precision: z.number().int().min(0).max(6).nullable().optional(),
  rank: rank.optional(),
  before: reference.optional().describe("Id of the field to stand before"),
  after: reference.optional().describe("Id of the field to stand behind"),
};

const name = line(1, 60);
const kind = choice(FIELD_KINDS);

export const CustomFieldDefCreateInput = z
  .strictObject({ name, kind, ...shared })
  .meta({ id: "CustomFieldDefCreateInput" });
export type CustomFieldDefCreateInput = z.output<typeof CustomFieldDefCreateInput>;

export const CustomFieldDefPatchInput = z
  .strictObject({ name: name.optional(), kind: kind.optional(), ...shared })
  .meta({ id: "CustomFieldDefPatchInput" });
export type CustomFieldDefPatchInput = z.output<typeof CustomFieldDefPatchInput>;

export const CustomFieldValueInput = z
  .strictObject({ value: z.unknown().optional().describe("As the field's kind wants it; null or absent clears") })
  .meta({ id: "CustomFieldValueInput" });
