import { sendMail } from "../domain/mail/send.ts";
import { sendEmail } from "../queues/index.ts";
import { worker } from "./worker.ts";

/** Sends a mail that was written; an error is the wish to be tried again. */
export const sendEmailWorker = worker(sendEmail, async (ctx, { event_id }) => {
  const outcome = await sendMail(ctx, event_id);
  if (outcome.retry) throw new Error(`The mail was not sent: ${outcome.reason}.`);
  return { outcome: outcome.state };
});
