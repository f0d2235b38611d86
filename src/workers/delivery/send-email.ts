import { sendMail } from "../../domain/delivery/mail/send.ts";
import { sendEmail } from "../../queues/index.ts";
import { NotNow, Retry, worker } from "../worker.ts";

/** Until a mail that another worker has in hand is looked at again, in case that one dies. */
const IN_HAND_MS = 1_000;

/** Sends a mail that was written. Metrics show the numbers that it answers. */
export const sendEmailWorker = worker(sendEmail, async (ctx, { event_id }, { processId }) => {
  const outcome = await sendMail(ctx, event_id, processId);
  if (outcome.state === "in hand") throw new NotNow("another worker has the mail in hand", IN_HAND_MS);
  if (outcome.state === "waiting") throw new Retry(`the mail was not sent: ${outcome.reason}`);
  // Nobody else hears of it: whoever asked for the mail was answered long ago.
  if (outcome.state === "refused")
    ctx.log.warn({ mail_id: event_id, reason: outcome.reason }, `mail ${event_id}: ${outcome.reason}`);
  if (outcome.state === "expired")
    ctx.log.warn({ mail_id: event_id }, `mail ${event_id} came too late and was not sent`);
  const { state } = outcome;
  return { sent: Number(state === "sent"), refused: Number(state === "refused"), expired: Number(state === "expired") };
});
