import { z } from "zod";
import { input, part, view } from "../../kernel/described.ts";
import { PROJECT_ROLES } from "../../kernel/rows.ts";
import { choice, id, reference, timestamp } from "../../kernel/wire.ts";
import { aboutProjectMember, aboutProjectMemberAdd, aboutProjectMemberRemoved } from "./descriptions.ts";

export const ProjectMemberAddInput = input("ProjectMemberAddInput", aboutProjectMemberAdd, {
  user_id: reference,
  role: choice(PROJECT_ROLES),
});
export type ProjectMemberAddInput = z.output<typeof ProjectMemberAddInput>;

export const ProjectMemberView = view("ProjectMember", aboutProjectMember, {
  user_id: id,
  email: z.string().optional(),
  name: z.string().nullable(),
  role: z.enum(PROJECT_ROLES),
  added_at: timestamp,
  avatar_url: z.string().nullable(),
  added_by: id.nullable(),
});
export type ProjectMemberView = z.output<typeof ProjectMemberView>;

export const ProjectMemberRemoved = part(aboutProjectMemberRemoved, { user_id: id, removed: z.literal(true) });
