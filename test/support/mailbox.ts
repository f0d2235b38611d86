import { afterAll, expect } from "vitest";
import type { CapturedMail } from "../../src/api/pages/dev-mailbox.ts";
import { type MailServer, startMailServer } from "../../src/dev/mailbox/mail-server.ts";
import { configure } from "./app.ts";

/** Status of the SMTP server's reply to a mail, or a function that is called once it has the mail. */
export type MailAnswer = number | (() => Promise<void> | void);

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/**
 * Starts this file's mail server on loopback. Call it before the first world. Mail arrives only while a worker runs:
 * `startWorker()`, or `drain()`.
 */
export async function startMailbox() {
  const mails: CapturedMail[] = [];
  let queue: MailAnswer[] = [];
  const keep = async (mail: CapturedMail) => {
    const answer = queue.shift() ?? 250;
    if (typeof answer === "number" && answer !== 250) {
      throw Object.assign(new Error("as the test wants it"), { responseCode: answer });
    }
    mails.push(mail);
    if (typeof answer === "function") await answer();
  };
  let server: MailServer | undefined = await startMailServer(keep);
  const { url, port } = server;
  const away = async () => {
    await server?.stop();
    server = undefined;
  };
  afterAll(away);
  configure({ SMTP_URL: url });

  const to = (address: string) => mails.filter((mail) => mail.to.toLowerCase() === address.toLowerCase());
  return {
    url,
    /** Every accepted mail, oldest first. */
    mails,
    to,
    /** The newest mail to an address, once there are at least `count` of them. */
    async latest(address: string, { count = 1, timeoutMs = 10_000 } = {}): Promise<CapturedMail> {
      await expect
        .poll(() => to(address).length, { timeout: timeoutMs, interval: 20, message: `mail to ${address}` })
        .toBeGreaterThanOrEqual(count);
      return to(address).at(-1)!;
    },
    /** Statuses of the next replies, one after another; 250 after them. A rejected mail is not kept. */
    answers(...answers: MailAnswer[]) {
      queue = answers;
    },
    away,
    async back() {
      server ??= await startMailServer(keep, { port });
    },
  };
}

/** The main link of a mail. */
export function linkIn({ links, text }: CapturedMail): URL {
  expect(links, text).not.toEqual([]);
  return new URL(links[0]!);
}

export function codeIn({ code, text }: CapturedMail): string {
  expect(code, text).not.toBeNull();
  return code!;
}
