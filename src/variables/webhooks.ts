import { z } from "zod";
import { flag, list, some } from "./types.ts";

/** Webhook deliveries. */
export const webhookVariables = {
  WEBHOOK_ALLOW_LOOPBACK: flag
    .default(false)
    .describe("Development: webhooks may use http and point at loopback addresses."),
  WEBHOOK_RETRY_SECONDS: list
    .default(["5", "300", "1800", "7200", "18000", "36000", "50400", "72000", "86400"])
    .transform((values) => values.map(Number))
    .refine((values) => values.every((seconds) => seconds > 0), "must be numbers of seconds")
    .describe("Delays before the second, third, … attempt of a delivery, in seconds."),
  WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(10)
    .default(15_000)
    .describe("Time limit for a receiver's reply, in milliseconds."),
  WEBHOOK_CONCURRENCY: some.default(200).describe("Concurrent deliveries of one worker process."),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: some
    .default(10)
    .describe("Concurrent deliveries to one endpoint, over all workers."),
};
