import { z } from "zod";
import { withoutEmail } from "../../access/identity/emails.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { part, SAMPLE } from "../../kernel/described.ts";
import { id } from "../../kernel/wire.ts";

/** The person or agent who wrote a version or a comment. */

const aboutAuthor = {
  id: ["User id of the person or agent.", SAMPLE.user],
  email: ["Address of the person. `null` for an agent; absent for callers who are guests.", "ada@example.com"],
  name: ["Name of the person or agent. `null` if they have not chosen one.", "Ada Lovelace"],
} as const;

export const AuthorView = part(aboutAuthor, {
  id,
  email: z.string().nullable().optional(),
  name: z.string().nullable(),
});

/** SQL of the columns that `authorOf` reads, from `app_user u`. */
export const authorColumns = "u.id as author_id, u.name as author_name, u.email as author_email";
export type WithAuthor = { author_id: string; author_name: string | null; author_email: string | null };

/** The author as the caller sees them; as everybody but guests does for events (`principal` null). */
export function authorOf({ author_id, author_name, author_email }: WithAuthor, ctx: InWorkspace | null) {
  const author = { id: author_id, email: author_email, name: author_name };
  if (ctx === null) return author;
  const { email } = withoutEmail(ctx.principal, { user_id: author_id, email: author_email ?? undefined });
  return email === undefined && author_email !== null ? { id: author_id, name: author_name } : author;
}
