import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { instantColumn, owned, ownedByWorkspace } from "../../kernel/entity.ts";

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
    description: p.string().nullable(),
  },
});
export type Label = InferEntity<typeof Label>;

/** What milestones, sprints and releases have in common. */
const planned = {
  ...owned,
  project_id: p.uuid(),
  name: p.string(),
  rank: p.string(),
  deleted_at: instantColumn().nullable(),
  created_by: p.uuid().nullable(),
};

export const Milestone = defineEntity({
  name: "Milestone",
  tableName: "milestone",
  filters: ownedByWorkspace,
  properties: {
    ...planned,
    status: p.string().$type<(typeof MILESTONE_STATUSES)[number]>(),
    description_md: p.text().nullable(),
    start_at: instantColumn().nullable(),
    due_at: instantColumn().nullable(),
    completed_at: instantColumn().nullable(),
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
    goal: p.text().nullable(),
    start_at: instantColumn().nullable(),
    end_at: instantColumn().nullable(),
    capacity_points: p.integer().nullable(),
    started_at: instantColumn().nullable(),
    completed_at: instantColumn().nullable(),
    committed_issues: p.integer().nullable(),
    committed_points: p.integer().nullable(),
    committed_minutes: p.integer().columnType("bigint").nullable(),
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
    version: p.string().nullable(),
    description_md: p.text().nullable(),
    target_date: instantColumn().nullable(),
    released_at: instantColumn().nullable(),
  },
});
export type Release = InferEntity<typeof Release>;
