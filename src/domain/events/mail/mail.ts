import type { Ctx } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { insertMail } from "./mail.sql.ts";
import type { MailText } from "./mail-text.ts";

/** The content of a mail, from which its text and its HTML are rendered. */
export type MailContent = {
  subject: MailText;
  /** Paragraphs above the button. */
  lines: MailLine[];
  action?: { label: MailText; url: string };
  /** A code that the reader types. It is shown in large letters. */
  code?: string;
  /** Paragraphs below the button, for example what to do if the mail was sent by mistake. */
  footnotes: MailText[];
  /** Address that ends mails of this kind with one POST (RFC 8058). The mail shows it, and mail programs have a button. */
  unsubscribe?: string;
};

/** A paragraph, or one that leads to a page. */
export type MailLine = MailText | { text: MailText; url: string };

export type NewMail = {
  /** The kind of mail, for logs and metrics. */
  kind: "sign_in" | "account" | "invite" | "form" | "key_revoked" | "credits" | "webhook" | "automation" | "digest";
  /** null if the mail concerns a person and no workspace. */
  workspaceId: string | null;
  to: string;
  content: MailContent;
  /** RFC 3339. The mail is not sent after this time. null: no limit. */
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
