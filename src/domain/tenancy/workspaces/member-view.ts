import { z } from "zod";
import { input, inputPart, view } from "../../kernel/described.ts";
import { shownEmail } from "../../kernel/email.ts";
import { choice, id, reference, timestamp } from "../../kernel/wire.ts";
import { aboutMember, aboutMemberPatch, aboutMemberQuery, aboutTransfer } from "./descriptions.ts";
import type { MemberRow } from "./members.sql.ts";

export const MemberView = view("Member", aboutMember, {
  user_id: id,
  email: z.string().optional(),
  name: z.string().nullable(),
  role: z.enum(["owner", "admin", "member", "viewer"]),
  is_guest: z.boolean(),
  project_ids: z.array(id),
  avatar_url: z.string().nullable(),
  status: z.enum(["active", "suspended"]),
  joined_at: timestamp,
  last_active_at: timestamp.nullable(),
});
export type MemberView = z.output<typeof MemberView>;

export const MemberQuery = inputPart(aboutMemberQuery, {
  q: z.string().trim().max(200).optional(),
  email: z.string().trim().max(320).optional(),
  sort: choice(["joined", "name"]).default("joined"),
});
export type MemberQuery = z.output<typeof MemberQuery>;

/** A guest is shown as a viewer of the projects that they belong to. */
export const memberView = (row: MemberRow): MemberView =>
  MemberView.parse({
    ...row,
    email: shownEmail(row.email),
    role: row.role === "guest" ? "viewer" : row.role,
    is_guest: row.role === "guest",
    project_ids: row.role === "guest" ? row.project_ids : [],
  });

/** Ownership changes by the transfer call, and guests come by invite. */
export const MemberPatchInput = input("MemberPatchInput", aboutMemberPatch, {
  role: choice(["admin", "member", "viewer"]),
});
export type MemberPatchInput = z.output<typeof MemberPatchInput>;

export const OwnershipTransferInput = input("OwnershipTransferInput", aboutTransfer, { user_id: reference });
