import { z } from "zod";
import { defineQueue, id, type QueueDefinition, seconds } from "./queue.ts";

/**
 * Every queue. Each has one worker file, src/workers/<name>.ts. Nothing but events, the clock and other workers adds jobs;
 * webhooks hear of events besides, since the relay writes their deliveries itself.
 */

/** Sends all that is due to a webhook, in order. `test_id`: only this test delivery is sent. */
export const deliverWebhook = defineQueue("deliver-webhook", {
  payload: z.object({ workspace_id: id, webhook_id: id, test_id: id.optional() }),
  retry: seconds(1, 5, 30),
  retryForever: true,
  concurrency: 200,
});

/** Asks the processor about a purchase and grants its credits. */
export const confirmPayment = defineQueue("confirm-payment", {
  on: ["payment.succeeded", "payment.noticed"],
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 2, 5, 10, 30, 60, 300, 1800, 7200),
  concurrency: 20,
});

/** Keeps a card that a person saved on the processor's page. */
export const saveCard = defineQueue("save-card", {
  on: ["card.noticed"],
  payload: z.object({ workspace_id: id, event_id: id }),
  retry: seconds(1, 5, 30, 300, 1800),
  concurrency: 5,
});

/**
 * Sends a mail; its event is the mail itself. A mail to a person who signs in belongs to no workspace. Retries go on for
 * about as long as an invite is of use.
 */
export const sendEmail = defineQueue("send-email", {
  on: ["mail.written"],
  payload: z.object({ workspace_id: id.nullable(), event_id: id }),
  retry: seconds(2, 5, 15, 30, 60, 120, 300, 900, 3600, 14_400, 43_200, 86_400, 86_400, 86_400),
  // As many as the mailer has connections.
  concurrency: 5,
});

/** Asks about purchases without an outcome; ends challenges that nobody paid. */
export const settlePayments = defineQueue("settle-payments", {
  // Buyers wait for it.
  repeat: ({ sweepSeconds }) => ({ every: Math.round(Math.min(sweepSeconds, 2) * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Adds the jobs again that Redis lost. */
export const sweep = defineQueue("sweep", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 1000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

/** Deletes what is kept for a time only. */
export const cleanUp = defineQueue("clean-up", {
  repeat: () => ({ pattern: "17 * * * *", tz: "UTC" }),
  payload: z.object({}),
  retry: seconds(60, 600),
  concurrency: 1,
});

/** Removes the bytes of files that nobody has any more. */
export const collectFiles = defineQueue("collect-files", {
  repeat: ({ sweepSeconds }) => ({ every: Math.round(sweepSeconds * 6_000) }),
  payload: z.object({}),
  retry: [],
  concurrency: 1,
});

export const queues = [
  deliverWebhook,
  confirmPayment,
  saveCard,
  sendEmail,
  settlePayments,
  sweep,
  cleanUp,
  collectFiles,
] as const satisfies readonly QueueDefinition[];
