import { z } from "zod";
import { choice, id, reference, text, timestamp } from "../wire.ts";

export const INVITE_ROLES = ["admin", "member", "viewer", "guest"] as const;
export type InviteRole = (typeof INVITE_ROLES)[number];

/** So long an invite can be accepted. */
export const INVITE_DAYS = 7;

export const InviteCreateInput = z
  .strictObject({
    email: z.string().trim().max(320).email(),
    role: choice(INVITE_ROLES).default("member"),
    project_ids: z
      .array(reference)
      .max(50)
      .nullable()
      .optional()
      .meta({ description: "Projects that a guest is to see, by id, key or slug" }),
    message: text(0, 500).nullable().optional(),
  })
  .meta({ id: "InviteCreateInput" });
export type InviteCreateInput = z.output<typeof InviteCreateInput>;

/** Without its token, which stands in the mail alone. Lists hold pending ones; events also show how one ended. */
export const InviteView = z
  .object({
    id,
    email: z.string(),
    role: z.enum(INVITE_ROLES),
    invited_by_user_id: id,
    expires_at: timestamp,
    created_at: timestamp,
    project_ids: z.array(id),
    status: z.enum(["pending", "accepted", "revoked"]),
    invited_by_name: z.string().nullable(),
    replaced_invite_id: id.nullable(),
  })
  .meta({ id: "Invite" });
export type InviteView = z.output<typeof InviteView>;

export type InviteRow = Omit<InviteView, "status">;

export const inviteView = (row: InviteRow, status: InviteView["status"] = "pending"): InviteView =>
  InviteView.parse({ ...row, status });
