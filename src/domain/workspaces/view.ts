import { z } from "zod";
import type { InWorkspace } from "../context.ts";
import { ROLES } from "../identity/scopes.ts";
import { PLANS } from "../plans.ts";
import { id, timestamp } from "../wire.ts";
import type { WorkspaceRow } from "./workspaces.sql.ts";

export const WorkspaceView = z
  .object({
    id,
    slug: z.string(),
    name: z.string(),
    default_locale: z.string().meta({ description: "BCP 47" }),
    created_at: timestamp,
    plan: z.enum(PLANS),
    role: z.enum(ROLES).nullable().meta({ description: "Yours" }),
    member_count: z.number().int().meta({ description: "People, guests among them" }),
    project_count: z.number().int().meta({ description: "Projects you see that are not archived" }),
    timezone: z.string().meta({ description: "IANA" }),
    url: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: "Workspace" });
export type WorkspaceView = z.output<typeof WorkspaceView>;

export const workspaceView = (ctx: InWorkspace, row: WorkspaceRow): WorkspaceView =>
  WorkspaceView.parse({ ...row, role: ctx.caller.role, url: `${ctx.settings.baseUrl}/w/${row.slug}` });
