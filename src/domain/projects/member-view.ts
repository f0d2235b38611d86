import { z } from "zod";
import { PROJECT_ROLES } from "../rows.ts";
import { choice, id, reference, timestamp } from "../wire.ts";

export const ProjectMemberAddInput = z
  .strictObject({
    user_id: reference.describe("Id or e-mail of somebody in the workspace, agents among them"),
    role: choice(PROJECT_ROLES),
  })
  .meta({ id: "ProjectMemberAddInput" });
export type ProjectMemberAddInput = z.output<typeof ProjectMemberAddInput>;

export const ProjectMemberView = z
  .object({
    user_id: id,
    email: z.string().optional().meta({ description: "Empty for agents; not shown to guests, but for their own" }),
    name: z.string().nullable(),
    role: z.enum(PROJECT_ROLES),
    added_at: timestamp,
    avatar_url: z.string().nullable(),
    added_by: id.nullable(),
  })
  .meta({ id: "ProjectMember" });
export type ProjectMemberView = z.output<typeof ProjectMemberView>;

export const ProjectMemberRemoved = z.object({ user_id: id, removed: z.literal(true) });
