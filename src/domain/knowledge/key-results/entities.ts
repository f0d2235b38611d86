import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { dayColumn, instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { KEY_RESULT_KINDS, MEASURES, Scope } from "./scope.ts";

/** A key result. Its progress and counts are written by SQL (`progress.sql.ts`, `count.sql.ts`). */
export const KeyResultEntity = defineEntity({
  name: "KeyResult",
  tableName: "key_result",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    goal_id: p.uuid(),
    title: p.string(),
    kind: p.string().$type<(typeof KEY_RESULT_KINDS)[number]>(),
    unit: p.string().strictNullable(),
    start_value: p.decimal("number").strictNullable(),
    target_value: p.decimal("number").strictNullable(),
    current_value: p.decimal("number").strictNullable(),
    weight: p.decimal("number"),
    scope: p.json<Scope>().strictNullable(),
    measure: p.string().$type<(typeof MEASURES)[number]>(),
    owner_user_id: p.uuid().strictNullable(),
    due_at: instantColumn().strictNullable(),
    due_on: dayColumn().strictNullable(),
    updated_value_at: instantColumn().strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});
export type KeyResultEntity = InferEntity<typeof KeyResultEntity>;
