import { createTransport } from "nodemailer";
import type { Mailer, MailOutcome } from "../domain/kernel/ports/ports.ts";

export type MailerOptions = {
  /** smtp: or smtps:, with user and password if the server needs them. Undefined: mail is off. */
  url: string | undefined;
  from: string;
};

/** Limit for connecting and for the server's greeting. */
const CONNECT_MS = 10_000;
/** Limit for a pause of the server while a mail is sent. */
const SILENCE_MS = 20_000;
/** Limit for one attempt. Shorter than a mail's lease. */
const MAIL_TIMEOUT_MS = 45_000;

/** Sends mail over SMTP, with a few pooled connections. */
export function openMailer({ url, from }: MailerOptions): Mailer & { close(): void } {
  if (!url) {
    const off: MailOutcome = { kind: "away", reason: "mail is off, since SMTP_URL is not set" };
    return { send: async () => off, close() {} };
  }
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 5,
      maxMessages: 200,
      // The queue retries and counts attempts.
      maxRequeues: 0,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = domainOf(from);

  return {
    async send({ id, to, subject, text, html, unsubscribe }) {
      const sending = transport.sendMail({
        // An object, so that the address is never parsed as several.
        to: { name: "", address: to },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        // Prevents automatic replies (RFC 3834).
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
          ...(unsubscribe && {
            "List-Unsubscribe": `<${unsubscribe}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      });
      const timeout = Promise.withResolvers<MailOutcome>();
      const timer = setTimeout(() => timeout.resolve({ kind: "away", reason: "it took too long" }), MAIL_TIMEOUT_MS);
      const sent = sending.then((): MailOutcome => ({ kind: "sent" }), outcomeOf);
      return Promise.race([sent, timeout.promise]).finally(() => clearTimeout(timer));
    },
    close: () => transport.close(),
  };
}

type Failure = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/**
 * Reports only status codes, because servers quote addresses and links. Rejections of this service, as opposed to the
 * mail, are for the operator to fix while the mail waits.
 */
function outcomeOf({ code = "", response = "", responseCode = 0 }: Failure): MailOutcome {
  const status = [responseCode, /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]].filter(Boolean).join(" ");
  const aboutTheMail = code === "EENVELOPE" || code === "EMESSAGE";
  const aboutUs = [503, 530, 534, 535, 538].includes(responseCode);
  if (aboutTheMail && !aboutUs && (responseCode >= 500 || responseCode === 0)) {
    return {
      kind: "refused",
      reason: status ? `the mail server refused it with ${status}` : "its address is not valid",
    };
  }
  return {
    kind: "away",
    reason: status ? `the mail server answered ${status}` : `no mail server (${code || "fault"})`,
  };
}

const domainOf = (from: string) => /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? "localhost";
