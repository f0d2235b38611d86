import { z } from "zod";
import { input, inputPart, view } from "../../kernel/described.ts";
import { choice, id, line, reference, timestamp } from "../../kernel/wire.ts";
import { issueType, priority } from "../issues/inputs.ts";
import { SORTS } from "../issues/orders.ts";
import { aboutSavedView, aboutSavedViewFilter, aboutSavedViewInput } from "./descriptions.ts";

/** Inputs and views of saved views. */

const LAYOUTS = ["board", "backlog", "list", "calendar", "timeline"] as const;
export type Layout = (typeof LAYOUTS)[number];
const GROUPS = ["status", "assignee", "priority", "label", "sprint", "type", "epic"] as const;
export type Group = (typeof GROUPS)[number];
const MAX_FILTER_BYTES = 16 * 1024;

const MAX_VALUES = 100;
const named = z.array(reference).max(MAX_VALUES);

const single = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const fieldWanted = z.union([single, z.array(single).max(MAX_VALUES)]).nullable();

/** What the issues of a view have in common. Fields are in camelCase, as in filters of workspace views. */
export const SavedViewFilterInput = inputPart(aboutSavedViewFilter, {
  issueTypes: z.array(issueType).max(MAX_VALUES).optional(),
  priorities: z.array(priority).max(MAX_VALUES).optional(),
  statuses: named.optional(),
  labels: named.optional(),
  assigneeId: reference.nullable().optional(),
  sprintId: reference.nullable().optional(),
  milestoneId: reference.nullable().optional(),
  customFields: z.record(z.string().max(200), fieldWanted).meta({ maxProperties: 20 }).optional(),
  q: z.string().trim().max(200).nullable().optional(),
  sort: choice(SORTS).nullable().optional(),
});
export type SavedViewFilter = z.output<typeof SavedViewFilterInput>;

const filter = SavedViewFilterInput.refine(
  (value) => new TextEncoder().encode(JSON.stringify(value)).length <= MAX_FILTER_BYTES,
  { message: "must have at most 16 KiB as JSON", params: { code: "too_long" } },
);

/** How a client shows the issues of a view. Views across projects have the same fields. */
export const shown = {
  layout: choice(LAYOUTS),
  group_by: choice(GROUPS).nullable(),
  columns: z.array(line(1, 50)).max(30),
};
export const shownByDefault = (layout: Layout) => ({
  layout: shown.layout.default(layout),
  group_by: shown.group_by.default(null),
  columns: shown.columns.default([]),
});
export const shownInViews = {
  layout: z.enum(LAYOUTS),
  group_by: z.enum(GROUPS).nullable(),
  columns: z.array(z.string()),
};

export const SavedViewCreateInput = input("SavedViewCreateInput", aboutSavedViewInput, {
  name: line(1, 80),
  filter: filter.default({}),
  is_shared: z.boolean().default(true),
  ...shownByDefault("board"),
});
export type SavedViewCreateInput = z.output<typeof SavedViewCreateInput>;

export const SavedViewPatchInput = input("SavedViewPatchInput", aboutSavedViewInput, {
  name: line(1, 80).optional(),
  filter: filter.optional(),
  is_shared: z.boolean().optional(),
  layout: shown.layout.optional(),
  group_by: shown.group_by.optional(),
  columns: shown.columns.optional(),
});
export type SavedViewPatchInput = z.output<typeof SavedViewPatchInput>;

export const SavedViewView = view("SavedView", aboutSavedView, {
  id,
  name: z.string(),
  filter: z.unknown(),
  filter_names: z.record(id, z.string()),
  filter_deleted: z.array(id),
  is_shared: z.boolean(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  project_key: z.string(),
  ...shownInViews,
});
export type SavedViewView = z.output<typeof SavedViewView>;
