import type { Ctx } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { insertMail } from "./mail.sql.ts";
import type { MailText } from "./mail-text.ts";

/** What a mail says. Its text and its HTML are made of it. */
export type MailContent = {
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
  /** The kind of mail, for logs and metrics. */
  kind: "sign_in" | "invite" | "form" | "key_revoked" | "credits" | "webhook";
  /** null: it concerns a person, not a workspace. */
  workspaceId: string | null;
  to: string;
  content: MailContent;
  /** RFC 3339; sent later, it would be of no use. null: always of use. */
  expiresAt: string | null;
};

/**
 * Writes a mail in the caller's transaction. A worker sends it at least once after the commit. Its content is sealed at
 * rest, because links in it grant access.
 */
export async function writeMail(ctx: Ctx, { kind, workspaceId, to, content, expiresAt }: NewMail): Promise<string> {
  const id = newId();
  const sealed = ctx.ports.sealer.seal(JSON.stringify(content));
  await insertMail(ctx.db, { id, workspaceId, kind, to, content: sealed, expiresAt, now: ctx.now });
  return id;
}
