import { type ClaimedMail, mailExpired, mailFailed, mailSent, mails, mailWaits } from "../../events/mail/mail.sql.ts";
import type { MailContent } from "../../events/mail/mail.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { MailOutcome } from "../../kernel/ports/ports.ts";
import { withRetries } from "../../kernel/with-retries.ts";
import { render } from "./render.ts";

export type Sent =
  | { state: "sent" | "expired" | "over" }
  /** The mail server refused it permanently. */
  | { state: "refused"; reason: string }
  /** It will be tried again later. */
  | { state: "waiting"; reason: string }
  /** Another worker is sending it. */
  | { state: "in hand" };

/**
 * Mails that this process is sending, by process and mail: tests run several processes in one. A job may run twice, and
 * the second run must not claim: if the reply to its claim were lost, it would give back the claim of the first.
 */
const sending = new Set<string>();

/**
 * Sends a mail at least once. If a worker dies after sending a mail and before storing that, the mail is sent again
 * with the same Message-ID, so that mail servers and mail programs recognise it.
 * @param processId names the worker process, as its row in worker_process does
 */
export async function sendMail(ctx: Ctx, id: string, processId: string): Promise<Sent> {
  const key = `${processId} ${id}`;
  if (sending.has(key)) return { state: "in hand" };
  sending.add(key);
  try {
    return await claimAndSend(ctx, id, processId);
  } finally {
    sending.delete(key);
  }
}

async function claimAndSend(ctx: Ctx, id: string, processId: string): Promise<Sent> {
  const claimed = await mails.claim(ctx.db, id, processId);
  if (!claimed) return { state: (await mails.isOpen(ctx.db, id)) ? "in hand" : "over" };
  const failed = (reason: string) => withRetries(() => mailFailed(ctx.db, [claimed], reason));
  const waits = (reason: string) => withRetries(() => mailWaits(ctx.db, [claimed], reason));
  if (claimed.expired) {
    await mailExpired(ctx.db, [claimed]);
    return { state: "expired" };
  }

  const outcome = await post(ctx, id, claimed).catch(async (error) => {
    await waits("it could not be sent because of an internal error");
    throw error;
  });
  if (outcome.kind === "away") {
    await waits(outcome.reason);
    return { state: "waiting", reason: outcome.reason };
  }
  if (outcome.kind === "refused") {
    await failed(outcome.reason);
    return { state: "refused", reason: outcome.reason };
  }
  await withRetries(() => mailSent(ctx.db, [claimed]));
  return { state: "sent" };
}

async function post({ ports }: Ctx, id: string, { recipient, content_sealed }: ClaimedMail): Promise<MailOutcome> {
  const content = JSON.parse(ports.sealer.open(content_sealed)) as MailContent;
  return ports.mailer.send({ id, to: recipient, ...render(content) });
}
