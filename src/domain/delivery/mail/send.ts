import { type ClaimedMail, claimMail, concludeMail, expireMail, isInHand } from "../../events/mail/mail.sql.ts";
import type { Letter } from "../../events/mail/mail.ts";
import type { Ctx } from "../../kernel/context.ts";
import { patiently } from "../../kernel/patiently.ts";
import type { MailOutcome } from "../../kernel/ports/ports.ts";
import { render } from "./render.ts";

/**
 * How long one attempt may take, in milliseconds; MAIL_TIMEOUT_MS of the adapter is less. Then somebody else may send
 * the mail, with the same Message-ID. So they may as soon as the process that sends it is dead.
 */
const LEASE_MS = 60_000;

export type Sent =
  | { state: "sent" | "expired" | "over" }
  /** Refused for good. */
  | { state: "refused"; reason: string }
  /** To be tried again later. */
  | { state: "waiting"; reason: string }
  /** Another attempt is under way. */
  | { state: "in hand" };

/**
 * Sends a mail, at least once: a worker that dies between sending and storing that leaves it to be sent again, under
 * the same Message-ID, by which mail servers and readers know it.
 * @param processId names the worker process, as its row in worker_process does
 */
export async function sendMail(ctx: Ctx, id: string, processId: string): Promise<Sent> {
  if (await expireMail(ctx.db, id)) return { state: "expired" };
  const claimed = await claimMail(ctx.db, id, processId, LEASE_MS);
  if (!claimed) return { state: (await isInHand(ctx.db, id)) ? "in hand" : "over" };

  const { attempts } = claimed;
  const conclude = (state: "waiting" | "sent" | "failed", error: string | null) =>
    patiently(() => concludeMail(ctx.db, { id, attempts, state, error }));
  const outcome = await post(ctx, id, claimed).catch(async (error) => {
    await conclude("waiting", "it could not be sent, for a reason on our side");
    throw error;
  });
  if (outcome.kind === "away") {
    await conclude("waiting", outcome.reason);
    return { state: "waiting", reason: outcome.reason };
  }
  if (outcome.kind === "refused") {
    await conclude("failed", outcome.reason);
    return { state: "refused", reason: outcome.reason };
  }
  await conclude("sent", null);
  return { state: "sent" };
}

async function post({ ports }: Ctx, id: string, { recipient, content_sealed }: ClaimedMail): Promise<MailOutcome> {
  const letter = JSON.parse(ports.sealer.open(content_sealed)) as Letter;
  return ports.mailer.send({ id, to: recipient, ...render(letter) });
}
