import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { dayColumn, instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { GOAL_STATUSES, STATUS_OVERRIDES } from "./status.ts";

/** A goal. Its progress and its announced status are written by SQL (`roll-up.sql.ts`). */
export const GoalEntity = defineEntity({
  name: "Goal",
  tableName: "goal",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    title: p.string(),
    description_md: p.text().strictNullable(),
    portfolio_id: p.uuid().strictNullable(),
    parent_goal_id: p.uuid().strictNullable(),
    owner_user_id: p.uuid().strictNullable(),
    cycle_start_at: instantColumn().strictNullable(),
    cycle_start_on: dayColumn().strictNullable(),
    cycle_due_at: instantColumn().strictNullable(),
    cycle_due_on: dayColumn().strictNullable(),
    weight: p.decimal("number"),
    progress_override: p.decimal("number").strictNullable(),
    status_override: p.string().$type<(typeof STATUS_OVERRIDES)[number]>().strictNullable(),
    status: p.string().$type<(typeof GOAL_STATUSES)[number]>(),
    version: p.integer(),
    deleted_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
  },
});
export type GoalEntity = InferEntity<typeof GoalEntity>;
