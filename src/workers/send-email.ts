import { sendMail } from "../domain/mail/send.ts";
import { sendEmail } from "../queues/index.ts";
import { worker } from "./worker.ts";

/** Sends a mail that was written; an error is the wish to be tried again. Metrics show the numbers that it answers. */
export const sendEmailWorker = worker(sendEmail, async (ctx, { event_id }) => {
  const outcome = await sendMail(ctx, event_id);
  if (outcome.retry) throw new Error(`The mail was not sent: ${outcome.reason}.`);
  const { state } = outcome;
  // Nobody else hears of it: whoever asked for the mail was answered long ago.
  if (state === "refused")
    ctx.log.warn({ mail_id: event_id, reason: outcome.reason }, `mail ${event_id}: ${outcome.reason}`);
  if (state === "expired") ctx.log.warn({ mail_id: event_id }, `mail ${event_id} came too late and was not sent`);
  return { sent: Number(state === "sent"), refused: Number(state === "refused"), expired: Number(state === "expired") };
});
