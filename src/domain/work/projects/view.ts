import { z } from "zod";
import { CATEGORIES } from "../../kernel/categories.ts";
import type { Ctx } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { PROJECT_ROLES, WIP_MODES, type Workspace } from "../../kernel/rows.ts";
import { calendarDay, id, timestamp } from "../../kernel/wire.ts";
import { aboutIssueCounts, aboutProject } from "./descriptions.ts";
import { ESTIMATION_UNITS } from "./entities.ts";
import type { ProjectRow } from "./projects.sql.ts";

const count = z.number().int();

export const ProjectView = view("Project", aboutProject, {
  id,
  key: z.string(),
  slug: z.string(),
  name: z.string(),
  description_md: z.string().nullable(),
  lead_user_id: id.nullable(),
  scoped: z.boolean(),
  estimation_unit: z.enum(ESTIMATION_UNITS),
  archived_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  icon: z.string().nullable(),
  color: z.string().nullable(),
  start_at: timestamp.nullable(),
  start_on: calendarDay.nullable(),
  target_at: timestamp.nullable(),
  target_on: calendarDay.nullable(),
  issue_counts: part(
    aboutIssueCounts,
    Object.fromEntries(CATEGORIES.map((category) => [category, count])) as Record<
      (typeof CATEGORIES)[number],
      typeof count
    >,
  ),
  default_status_id: id.nullable(),
  default_assignee_id: id.nullable(),
  transition_rules: z.record(id, z.array(id)).nullable(),
  wip_mode: z.enum(WIP_MODES),
  enforce_blockers: z.boolean(),
  auto_start: z.boolean(),
  my_role: z.enum(PROJECT_ROLES).nullable(),
  url: z.string(),
  created_by: id,
});
export type ProjectView = z.output<typeof ProjectView>;

const NONE = Object.fromEntries(CATEGORIES.map((category) => [category, 0])) as ProjectView["issue_counts"];

export const projectView = (ctx: Ctx & { workspace: Workspace }, row: ProjectRow): ProjectView =>
  ProjectView.parse({
    ...row,
    issue_counts: { ...NONE, ...row.issue_counts },
    url: `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}/p/${row.slug}`,
  });
