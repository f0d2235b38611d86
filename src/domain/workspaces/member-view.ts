import { z } from "zod";
import { id, timestamp } from "../wire.ts";
import type { MemberRow } from "./members.sql.ts";

export const MemberView = z
  .object({
    user_id: id,
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(["owner", "admin", "member", "viewer"]),
    is_guest: z.boolean(),
    project_ids: z.array(id),
    avatar_url: z.string().nullable(),
    status: z.enum(["active", "suspended"]),
    joined_at: timestamp,
    last_active_at: timestamp.nullable(),
  })
  .meta({ id: "Member" });
export type MemberView = z.input<typeof MemberView>;

/** A guest is shown as a viewer of the projects that name them. */
export const memberView = (row: MemberRow): MemberView => ({
  ...row,
  role: row.role === "guest" ? "viewer" : row.role,
  is_guest: row.role === "guest",
  project_ids: row.role === "guest" ? row.project_ids : [],
});
