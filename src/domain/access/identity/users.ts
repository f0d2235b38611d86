import type { Writing } from "../../kernel/context.ts";
import { readEmail } from "../../kernel/email.ts";
import { findOrMakeUser, type User } from "./users.sql.ts";

/** Finds or creates the person with this e-mail address, ignoring case. An existing person keeps their name. */
export const createUser = (ctx: Writing, { email, name }: { email: string; name?: string | null }): Promise<User> =>
  findOrMakeUser(ctx.db, { email: readEmail(email) ?? email.trim(), name: name?.trim() || null }, ctx.now);
