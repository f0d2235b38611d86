import type { Ctx } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { insertMail } from "./mail.sql.ts";
import type { MailText } from "./mail-text.ts";

/** A letter before it has a look: what the mail's text and HTML are made of. */
export type Letter = {
  subject: MailText;
  /** Paragraphs above the button. */
  lines: MailText[];
  action?: { label: MailText; url: string };
  /** Shown large, to be typed. */
  code?: string;
  /** Paragraphs below: what to do when it was a mistake, and the like. */
  footnotes: MailText[];
};

export type NewMail = {
  /** What it is about, for logs and metrics. */
  kind: "sign_in" | "invite" | "form" | "key_revoked" | "credits" | "webhook";
  /** null: it concerns a person, not a workspace. */
  workspaceId: string | null;
  to: string;
  letter: Letter;
  /** RFC 3339; sent later, it would be of no use. null: always of use. */
  expiresAt: string | null;
};

/**
 * Writes a letter in the caller's transaction; the worker sends it once that commits, at least once. Its content is
 * sealed at rest, since links in it open doors.
 */
export async function writeMail(ctx: Ctx, { kind, workspaceId, to, letter, expiresAt }: NewMail): Promise<string> {
  const id = newId();
  const content = ctx.ports.sealer.seal(JSON.stringify(letter));
  await insertMail(ctx.db, { id, workspaceId, kind, to, content, expiresAt, now: ctx.now });
  return id;
}
