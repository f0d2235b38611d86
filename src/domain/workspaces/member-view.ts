import { z } from "zod";
import { choice, id, reference, timestamp } from "../wire.ts";
import type { MemberRow } from "./members.sql.ts";

export const MemberView = z
  .object({
    user_id: id,
    email: z.string().optional().meta({ description: "Not shown to guests, but for their own" }),
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
export type MemberView = z.output<typeof MemberView>;

/** A guest is shown as a viewer of the projects that name them. */
export const memberView = (row: MemberRow): MemberView =>
  MemberView.parse({
    ...row,
    role: row.role === "guest" ? "viewer" : row.role,
    is_guest: row.role === "guest",
    project_ids: row.role === "guest" ? row.project_ids : [],
  });

/** Becoming an owner is the transfer call's affair, and guests come by invite. */
export const MemberPatchInput = z
  .strictObject({ role: choice(["admin", "member", "viewer"]) })
  .meta({ id: "MemberPatchInput" });
export type MemberPatchInput = z.output<typeof MemberPatchInput>;

export const OwnershipTransferInput = z
  .strictObject({ user_id: reference.meta({ description: "Id or e-mail of an active member" }) })
  .meta({ id: "OwnershipTransferInput" });
