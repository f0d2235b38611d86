import { z } from "zod";
import { ISSUE_TYPES, PRIORITIES, PRIORITY_SYNONYMS } from "../../access/identity/issue-row.ts";
import { CATEGORIES, CATEGORY_SYNONYMS } from "../../kernel/categories.ts";
import { input, inputPart, part, view } from "../../kernel/described.ts";
import { choice, id, line, reference, timestamp } from "../../kernel/wire.ts";
import { VIEW_SORTS } from "../../work/issues/orders.ts";
import { shown, shownByDefault, shownInViews } from "../../work/saved-views/view.ts";
import { aboutViewFilter, aboutWorkspaceView } from "./descriptions.ts";

/** Inputs and views of workspace views. Fields of the filter are in camelCase, as in filters of saved views. */

const MAX_VALUES = 100;

export const ViewFilterInput = inputPart(aboutViewFilter, {
  projectIds: z.array(reference).max(MAX_VALUES),
  statuses: z.array(choice(CATEGORIES, CATEGORY_SYNONYMS)).max(MAX_VALUES),
  priorities: z.array(choice(PRIORITIES, PRIORITY_SYNONYMS)).max(MAX_VALUES),
  types: z.array(choice(ISSUE_TYPES)).max(MAX_VALUES),
  assigneeId: reference.nullable(),
  sort: choice(VIEW_SORTS),
});
export type ViewFilter = z.output<typeof ViewFilterInput>;

export const WorkspaceViewCreateInput = input("WorkspaceViewCreateInput", aboutWorkspaceView, {
  name: line(1, 80),
  filter: ViewFilterInput.optional(),
  is_shared: z.boolean().default(true),
  ...shownByDefault("list"),
});
export type WorkspaceViewCreateInput = z.output<typeof WorkspaceViewCreateInput>;

export const WorkspaceViewPatchInput = input("WorkspaceViewPatchInput", aboutWorkspaceView, {
  name: line(1, 80).optional(),
  filter: ViewFilterInput.optional(),
  is_shared: z.boolean().optional(),
  layout: shown.layout.optional(),
  group_by: shown.group_by.optional(),
  columns: shown.columns.optional(),
});
export type WorkspaceViewPatchInput = z.output<typeof WorkspaceViewPatchInput>;

export const WorkspaceViewView = view("WorkspaceView", aboutWorkspaceView, {
  id,
  name: z.string(),
  filter: part(aboutViewFilter, {
    projectIds: z.array(id),
    statuses: z.array(z.enum(CATEGORIES)),
    priorities: z.array(z.enum(PRIORITIES)),
    types: z.array(z.enum(ISSUE_TYPES)),
    assigneeId: z.string().nullable(),
    sort: z.enum(VIEW_SORTS),
  }),
  is_shared: z.boolean(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  ...shownInViews,
});
export type WorkspaceViewView = z.output<typeof WorkspaceViewView>;
