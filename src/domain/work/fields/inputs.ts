import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { nameKey } from "../../kernel/text.ts";
import { choice, line, reference, text } from "../../kernel/wire.ts";
import { issueType, rank } from "../issues/inputs.ts";
import { aboutFieldInput, aboutValueInput } from "./descriptions.ts";
import { FIELD_KINDS } from "./rows.ts";

/** Bodies of the custom-field calls, named as the specification names them. */

/** A double represents numbers up to this one with a few decimals. */
export const MAX_NUMBER = 1e15;

const bound = z.number().min(-MAX_NUMBER).max(MAX_NUMBER).nullable().optional();

const options = z
  .array(line(1, 60))
  .max(100)
  .refine((all) => new Set(all.map(nameKey)).size === all.length, {
    message: "must have no duplicates",
    params: { code: "duplicate" },
  });

const shared = {
  options: options.optional(),
  applies_to: z.array(issueType).max(20).optional(),
  required: z.boolean().optional(),
  description: text(0, 300).nullable().optional(),
  default_value: z.unknown().optional(),
  min: bound,
  max: bound,
  precision: z.number().int().min(0).max(6).nullable().optional(),
  rank: rank.optional(),
  before: reference.optional(),
  after: reference.optional(),
};

const name = line(1, 60);
const kind = choice(FIELD_KINDS);

export const CustomFieldDefCreateInput = input("CustomFieldDefCreateInput", aboutFieldInput, { name, kind, ...shared });
export type CustomFieldDefCreateInput = z.output<typeof CustomFieldDefCreateInput>;

export const CustomFieldDefPatchInput = input("CustomFieldDefPatchInput", aboutFieldInput, {
  name: name.optional(),
  kind: kind.optional(),
  ...shared,
});
export type CustomFieldDefPatchInput = z.output<typeof CustomFieldDefPatchInput>;

export const CustomFieldValueInput = input("CustomFieldValueInput", aboutValueInput, { value: z.unknown().optional() });
