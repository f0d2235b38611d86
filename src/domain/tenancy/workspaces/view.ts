import { z } from "zod";
import type { InWorkspace } from "../../kernel/context.ts";
import { view } from "../../kernel/described.ts";
import { PLANS } from "../../kernel/plans.ts";
import { ROLES } from "../../kernel/roles.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutWorkspace } from "./descriptions.ts";
import type { WorkspaceRow } from "./workspaces.sql.ts";

export const WorkspaceView = view("Workspace", aboutWorkspace, {
  id,
  slug: z.string(),
  name: z.string(),
  default_locale: z.string(),
  created_at: timestamp,
  plan: z.enum(PLANS),
  role: z.enum(ROLES).nullable(),
  member_count: z.number().int(),
  project_count: z.number().int(),
  timezone: z.string(),
  url: z.string(),
  updated_at: timestamp,
});
export type WorkspaceView = z.output<typeof WorkspaceView>;

export const workspaceView = (ctx: InWorkspace, row: WorkspaceRow): WorkspaceView =>
  WorkspaceView.parse({ ...row, role: ctx.principal.role, url: `${ctx.settings.baseUrl}/w/${row.slug}` });
