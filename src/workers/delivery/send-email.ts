import { z } from "zod";
import { sendMail } from "../../domain/delivery/mail/send.ts";
import { ALWAYS, defineQueue, id, seconds } from "../../queues/queue.ts";
import { NotNow, Retry, serve } from "../worker.ts";

/**
 * Sends a mail, which the event's id identifies. A mail to a person who signs in belongs to no
 * workspace, so it waits for no turn. Retries
 * continue for about as long as an invite is valid.
 */
export const sendEmail = defineQueue("send-email", {
  on: ["mail.written"],
  listeners: ALWAYS,
  payload: z.object({ workspace_id: id.nullable(), event_id: id }),
  retry: seconds(2, 5, 15, 30, 60, 120, 300, 900, 3600, 14_400, 43_200, 86_400, 86_400, 86_400),
  // As many as the mailer has connections.
  concurrency: 5,
});

/** How long to wait before checking a mail that another worker has claimed, in case that worker dies. */
const IN_HAND_MS = 1_000;

/** Metrics show the numbers that it returns. */
export const worker = serve(sendEmail, async (ctx, { event_id }, { processId }) => {
  const outcome = await sendMail(ctx, event_id, processId);
  if (outcome.state === "in hand") throw new NotNow("another worker has the mail in hand", IN_HAND_MS);
  if (outcome.state === "waiting") throw new Retry(`the mail was not sent: ${outcome.reason}`);
  // The caller that caused the mail got its reply long ago, so this is only logged.
  if (outcome.state === "refused")
    ctx.log.warn({ mail_id: event_id, reason: outcome.reason }, `mail ${event_id}: ${outcome.reason}`);
  if (outcome.state === "expired")
    ctx.log.warn({ mail_id: event_id }, `mail ${event_id} came too late and was not sent`);
  const { state } = outcome;
  return { sent: Number(state === "sent"), refused: Number(state === "refused"), expired: Number(state === "expired") };
});
