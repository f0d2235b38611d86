import { randomUUID } from "node:crypto";
import PostalMime from "postal-mime";

/** A mail as a person would see it, with what they would click on or type. */
export type CapturedMail = {
  id: string;
  /** The same whenever the same mail comes again. */
  message_id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  /** Addresses in the text, in order. */
  links: string[];
  /** A line of six digits alone. */
  code: string | null;
  received_at: string;
};

/** Reads a message (RFC 5322) that was sent to an address. */
export async function readMail(raw: Buffer, to: string): Promise<CapturedMail> {
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? "";
  return {
    id: randomUUID(),
    message_id: mail.messageId ?? "",
    to,
    from: mail.from?.address ?? "",
    subject: mail.subject ?? "",
    text,
    html: mail.html ?? "",
    links: [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link),
    code: /^[ \t]*(\d{6})[ \t]*\r?$/m.exec(text)?.[1] ?? null,
    received_at: new Date().toISOString(),
  };
}
