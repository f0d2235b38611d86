import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Category } from "../../kernel/categories.ts";
import { dayColumn, instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
import type { WIP_MODES } from "../../kernel/rows.ts";

export const ESTIMATION_UNITS = ["time", "points", "none"] as const;

export const ProjectEntity = defineEntity({
  name: "Project",
  tableName: "project",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    key: p.string(),
    slug: p.string(),
    name: p.string(),
    description_md: p.text().strictNullable(),
    lead_user_id: p.uuid().strictNullable(),
    scoped: p.boolean(),
    estimation_unit: p.string().$type<(typeof ESTIMATION_UNITS)[number]>(),
    icon: p.string().strictNullable(),
    color: p.string().strictNullable(),
    start_at: instantColumn().strictNullable(),
    start_on: dayColumn().strictNullable(),
    target_at: instantColumn().strictNullable(),
    target_on: dayColumn().strictNullable(),
    default_status_id: p.uuid().strictNullable(),
    default_assignee_id: p.uuid().strictNullable(),
    transition_rules: p.json<Record<string, string[]>>().strictNullable(),
    wip_mode: p.string().$type<(typeof WIP_MODES)[number]>(),
    enforce_blockers: p.boolean(),
    auto_start: p.boolean(),
    archived_at: instantColumn().strictNullable(),
    created_by: p.uuid(),
  },
});
export type ProjectEntity = InferEntity<typeof ProjectEntity>;

export const BoardStatus = defineEntity({
  name: "BoardStatus",
  tableName: "board_status",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid(),
    name: p.string(),
    color: p.string(),
    category: p.string().$type<Category>(),
    rank: p.string(),
    wip_limit: p.integer().strictNullable(),
    description: p.string().strictNullable(),
    // SQL updates the count with each move of an issue. Entities only read it.
    issue_count: p.integer().persist(false).strictNullable(),
    deleted_at: instantColumn().strictNullable(),
  },
});
export type BoardStatus = InferEntity<typeof BoardStatus>;
