import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { choice, line, reference, text } from "../../kernel/wire.ts";
import { ActionInput } from "../actions/inputs.ts";
import { Conditions } from "../conditions/inputs.ts";
import { aboutAutomationInput } from "./descriptions.ts";
import { TRIGGER_NAMES, TriggerConfigInput } from "./triggers.ts";

/** Bodies of the automation calls, named as the specification names them. */

export const ON_ERROR = ["stop", "continue"] as const;

const MAX_ACTIONS = 10;
/** Characters of JSON of all actions. Each run stores a copy. */
const MAX_LENGTH = 131_072;

const actions = z
  .array(ActionInput)
  .min(1)
  .max(MAX_ACTIONS)
  .refine((list) => JSON.stringify(list).length <= MAX_LENGTH, {
    message: `must have at most ${MAX_LENGTH.toLocaleString("en")} characters of JSON in all`,
    params: { code: "too_long" },
  });

const fields = {
  name: line(1, 100),
  description: text(0, 1_000).nullable(),
  trigger: choice(TRIGGER_NAMES),
  trigger_config: TriggerConfigInput,
  conditions: Conditions.nullable(),
  actions,
  project_id: reference.nullable(),
  enabled: z.boolean(),
  allow_chaining: z.boolean(),
  on_error: choice(ON_ERROR),
};

export const AutomationCreateInput = input("AutomationCreateInput", aboutAutomationInput, {
  ...fields,
  description: fields.description.optional(),
  trigger_config: fields.trigger_config.default({}),
  conditions: fields.conditions.default(null),
  project_id: fields.project_id.optional(),
  enabled: fields.enabled.default(true),
  allow_chaining: fields.allow_chaining.default(false),
  on_error: fields.on_error.default("stop"),
});
export type AutomationCreateInput = z.output<typeof AutomationCreateInput>;

export const AutomationPatchInput = input("AutomationPatchInput", aboutAutomationInput, {
  name: fields.name.optional(),
  description: fields.description.optional(),
  trigger: fields.trigger.optional(),
  trigger_config: fields.trigger_config.optional(),
  conditions: fields.conditions.optional(),
  actions: fields.actions.optional(),
  project_id: fields.project_id.optional(),
  enabled: fields.enabled.optional(),
  allow_chaining: fields.allow_chaining.optional(),
  on_error: fields.on_error.optional(),
});
export type AutomationPatchInput = z.output<typeof AutomationPatchInput>;
