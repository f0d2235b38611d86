import PostalMime from "postal-mime";
import type { CapturedMail } from "../../api/pages/dev-mailbox.ts";
import { newId } from "../../domain/kernel/ids.ts";

const unsubscribeOf = (headers: { key: string; value: string }[]): CapturedMail["unsubscribe"] => {
  const [address, post] = ["list-unsubscribe", "list-unsubscribe-post"].map((name) =>
    headers.find(({ key }) => key === name)?.value.trim(),
  );
  return address && post ? { address: address.replace(/^<|>$/g, ""), post } : null;
};

/** Parses a message (RFC 5322) that was sent to an address. */
export async function readMail(raw: Buffer, to: string): Promise<CapturedMail> {
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? "";
  return {
    id: newId(),
    message_id: mail.messageId ?? "",
    to,
    from: mail.from?.address ?? "",
    subject: mail.subject ?? "",
    text,
    html: mail.html ?? "",
    links: [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(([link]) => link),
    code: /^[ \t]*(\d{6}|\d{10})[ \t]*\r?$/m.exec(text)?.[1] ?? null,
    unsubscribe: unsubscribeOf(mail.headers),
    received_at: new Date().toISOString(),
  };
}
