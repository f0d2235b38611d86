import { z } from "zod";
import { input, view } from "../../kernel/described.ts";
import { emailInput, shownEmail } from "../../kernel/email.ts";
import { choice, id, reference, text, timestamp } from "../../kernel/wire.ts";
import { aboutInvite, aboutInviteCreate } from "../workspaces/descriptions.ts";

export const INVITE_ROLES = ["admin", "member", "viewer", "guest"] as const;
export type InviteRole = (typeof INVITE_ROLES)[number];

/** How long an invite can be accepted, in days. */
export const INVITE_DAYS = 7;

export const InviteCreateInput = input("InviteCreateInput", aboutInviteCreate, {
  email: emailInput,
  role: choice(INVITE_ROLES).default("member"),
  project_ids: z.array(reference).max(50).nullable().optional(),
  message: text(0, 500).nullable().optional(),
});
export type InviteCreateInput = z.output<typeof InviteCreateInput>;

/**
 * An invite without its token, which only the mail contains. Lists contain pending invites; events also show how an
 * invite ended.
 */
export const InviteView = view("Invite", aboutInvite, {
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
});
export type InviteView = z.output<typeof InviteView>;

export type InviteRow = Omit<InviteView, "status">;

export const inviteView = (row: InviteRow, status: InviteView["status"] = "pending"): InviteView =>
  InviteView.parse({ ...row, email: shownEmail(row.email), status });
