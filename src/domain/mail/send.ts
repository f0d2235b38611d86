import type { Ctx } from "../context.ts";
import { claimMail, concludeMail, expireMail } from "./mail.sql.ts";
import type { Letter } from "./mail.ts";
import { render } from "./render.ts";

/**
 * How long one attempt may take, in milliseconds; MAIL_TIMEOUT_MS of the adapter is less. Then somebody else may send
 * the mail, with the same Message-ID.
 */
const LEASE_MS = 60_000;

export type Sent =
  | { retry: false; state: "sent" | "expired" | "over" }
  | { retry: false; state: "refused"; reason: string }
  | { retry: true; reason: string };

/**
 * Sends a mail, at least once: a worker that dies between sending and storing that leaves it to be sent again, under
 * the same Message-ID, by which mail servers and readers know it.
 */
export async function sendMail(ctx: Ctx, id: string): Promise<Sent> {
  const expired = await expireMail(ctx.db, id, ctx.now);
  if (expired) return { retry: false, state: "expired" };
  const leaseUntil = new Date(Date.parse(ctx.now) + LEASE_MS).toISOString();
  const claimed = await claimMail(ctx.db, id, ctx.now, leaseUntil);
  if (!claimed) return { retry: false, state: "over" };
  if (!claimed.mine) return { retry: true, reason: "another worker has it in hand" };

  const letter = JSON.parse(ctx.ports.sealer.open(claimed.content_sealed)) as Letter;
  const outcome = await ctx.ports.mailer.send({ id, to: claimed.recipient, ...render(letter) });
  const { attempts } = claimed;
  if (outcome.kind === "away") {
    await concludeMail(ctx.db, { id, attempts, state: "waiting", error: outcome.reason, sentAt: null });
    return { retry: true, reason: outcome.reason };
  }
  if (outcome.kind === "refused") {
    await concludeMail(ctx.db, { id, attempts, state: "failed", error: outcome.reason, sentAt: null });
    return { retry: false, state: "refused", reason: outcome.reason };
  }
  await concludeMail(ctx.db, { id, attempts, state: "sent", error: null, sentAt: ctx.now });
  return { retry: false, state: "sent" };
}
