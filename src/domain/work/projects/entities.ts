import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Category } from "../../kernel/categories.ts";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";
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
    description_md: p.text().nullable(),
    lead_user_id: p.uuid().nullable(),
    scoped: p.boolean(),
    estimation_unit: p.string().$type<(typeof ESTIMATION_UNITS)[number]>(),
    icon: p.string().nullable(),
    color: p.string().nullable(),
    start_at: instantColumn().nullable(),
    target_at: instantColumn().nullable(),
    default_status_id: p.uuid().nullable(),
    default_assignee_id: p.uuid().nullable(),
    transition_rules: p.json<Record<string, string[]>>().nullable(),
    wip_mode: p.string().$type<(typeof WIP_MODES)[number]>(),
    enforce_blockers: p.boolean(),
    auto_start: p.boolean(),
    archived_at: instantColumn().nullable(),
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
    wip_limit: p.integer().nullable(),
    description: p.string().nullable(),
    // SQL updates the count with each move of an issue. Entities only read it.
    issue_count: p.integer().persist(false).nullable(),
    deleted_at: instantColumn().nullable(),
  },
});
export type BoardStatus = InferEntity<typeof BoardStatus>;
