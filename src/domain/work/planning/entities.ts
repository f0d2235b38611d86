import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { dayColumn, instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

export const SPRINT_STATUSES = ["planned", "active", "completed"] as const;
export const MILESTONE_STATUSES = ["planned", "active", "completed"] as const;
export const RELEASE_STATUSES = ["planned", "in_progress", "released", "cancelled"] as const;

export const Label = defineEntity({
  name: "Label",
  tableName: "label",
  filters: ownedByWorkspace,
  properties: {
    ...owned,
    project_id: p.uuid(),
    name: p.string(),
    color: p.string(),
    description: p.string().strictNullable(),
  },
});
export type Label = InferEntity<typeof Label>;

/** What milestones, sprints and releases have in common. */
const planned = {
  ...owned,
  project_id: p.uuid(),
  name: p.string(),
  rank: p.string(),
  deleted_at: instantColumn().strictNullable(),
  created_by: p.uuid().strictNullable(),
};

export const Milestone = defineEntity({
  name: "Milestone",
  tableName: "milestone",
  filters: ownedByWorkspace,
  properties: {
    ...planned,
    status: p.string().$type<(typeof MILESTONE_STATUSES)[number]>(),
    description_md: p.text().strictNullable(),
    start_at: instantColumn().strictNullable(),
    start_on: dayColumn().strictNullable(),
    due_at: instantColumn().strictNullable(),
    due_on: dayColumn().strictNullable(),
    completed_at: instantColumn().strictNullable(),
  },
});
export type Milestone = InferEntity<typeof Milestone>;

export const Sprint = defineEntity({
  name: "Sprint",
  tableName: "sprint",
  filters: ownedByWorkspace,
  properties: {
    ...planned,
    status: p.string().$type<(typeof SPRINT_STATUSES)[number]>(),
    goal: p.text().strictNullable(),
    start_at: instantColumn().strictNullable(),
    start_on: dayColumn().strictNullable(),
    end_at: instantColumn().strictNullable(),
    end_on: dayColumn().strictNullable(),
    capacity_points: p.integer().strictNullable(),
    started_at: instantColumn().strictNullable(),
    completed_at: instantColumn().strictNullable(),
    committed_issues: p.integer().strictNullable(),
    committed_points: p.integer().strictNullable(),
    committed_minutes: p.integer().columnType("bigint").strictNullable(),
  },
});
export type Sprint = InferEntity<typeof Sprint>;

export const Release = defineEntity({
  name: "Release",
  tableName: "release",
  filters: ownedByWorkspace,
  properties: {
    ...planned,
    status: p.string().$type<(typeof RELEASE_STATUSES)[number]>(),
    version: p.string().strictNullable(),
    description_md: p.text().strictNullable(),
    target_date: instantColumn().strictNullable(),
    target_on: dayColumn().strictNullable(),
    released_at: instantColumn().strictNullable(),
  },
});
export type Release = InferEntity<typeof Release>;
