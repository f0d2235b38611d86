import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace, textList } from "../../kernel/entity.ts";
import type { ActionInput } from "../actions/inputs.ts";
import type { Group } from "../conditions/inputs.ts";
import type { Trigger, TriggerConfig } from "./triggers.ts";
import type { DisabledReason, Rule } from "./view.ts";

/** An automation. What runs change often is in `automation_tally`. */
export const AutomationEntity = defineEntity({
  name: "Automation",
  tableName: "automation",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid().strictNullable(),
    name: p.string(),
    description: p.text().strictNullable(),
    trigger: p.string().$type<Trigger>(),
    trigger_config: p.json<TriggerConfig>(),
    conditions: p.json<Group>().strictNullable(),
    actions: p.json<ActionInput[]>(),
    allow_chaining: p.boolean(),
    on_error: p.string().$type<Rule["on_error"]>(),
    enabled: p.boolean(),
    disabled_reason: p.string().$type<DisabledReason>().strictNullable(),
    due_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
    key_id: p.uuid().strictNullable(),
    key_scopes: textList().strictNullable(),
  },
});
export type AutomationEntity = InferEntity<typeof AutomationEntity>;
