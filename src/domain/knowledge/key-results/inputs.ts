import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { date, day } from "../../kernel/whole-days.ts";
import { choice, line, reference } from "../../kernel/wire.ts";
import { weight } from "../goals/inputs.ts";
import { aboutKeyResultInput, aboutKeyResultPatch } from "./descriptions.ts";
import { KEY_RESULT_KINDS, MEASURES, ScopeInput } from "./scope.ts";

/** Bodies of the key result calls, named as the specification names them. */

const value = z.number().nullable().optional();

const fields = {
  unit: line(0, 24).nullable().optional(),
  start_value: value,
  target_value: value,
  current_value: value,
  scope: ScopeInput.nullable().optional(),
  owner_user_id: reference.nullable().optional(),
  due_at: date,
  due_on: day,
};

export const KeyResultCreateInput = input("KeyResultCreateInput", aboutKeyResultInput, {
  title: line(1, 200),
  kind: choice(KEY_RESULT_KINDS),
  ...fields,
  weight: weight.default(1),
  measure: choice(MEASURES).default("issues"),
});
export type KeyResultCreateInput = z.output<typeof KeyResultCreateInput>;

export const KeyResultPatchInput = input("KeyResultPatchInput", aboutKeyResultPatch, {
  title: line(1, 200).optional(),
  ...fields,
  weight: weight.optional(),
  measure: choice(MEASURES).optional(),
  // Declared, so that it is refused as immutable and not as unknown.
  kind: z.unknown().optional(),
});
export type KeyResultPatchInput = z.output<typeof KeyResultPatchInput>;
