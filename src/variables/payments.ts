import { z } from "zod";
import type { serverVariables } from "./server.ts";
import { http, isKey, key, keys, optional, some, type Values } from "./types.ts";

/** Stripe's test network profile. Buyers' tokens for it pay nobody. */
export const TEST_NETWORK_ID = "profile_test_123";

/** Credits: the card processor, challenges and receipts. */
export const paymentVariables = {
  STRIPE_SECRET_KEY: optional.describe("Key of the card processor. Unset: buying credits answers 503."),
  STRIPE_WEBHOOK_SECRET: optional.describe(
    "Verifies the processor's notifications at /api/webhooks/stripe; required in production if payments are on.",
  ),
  STRIPE_API_BASE: http.optional().describe("Base address of Stripe's API. Unset: Stripe."),
  STRIPE_SPT_VERSION: z
    .string()
    .default("2026-07-29.preview")
    .describe("API version whose payment intents accept shared payment tokens."),
  STRIPE_NETWORK_ID: z
    .string()
    .default(TEST_NETWORK_ID)
    .describe("The processor's id of the seller, shown in challenges; required in production if payments are on."),
  STRIPE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe("Time limit of a charge, in milliseconds."),
  PAYMENT_METHOD: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("stripe")
    .describe("Name of the payment method in challenges."),
  CHALLENGES_PER_MINUTE: some.default(10).describe("Unpaid calls for credits per minute of one workspace."),
  PAYMENT_SETTLE_SECONDS: z.coerce
    .number()
    .min(0.1)
    .default(5)
    .describe(
      "Seconds after a call in which its charge must start. Without an outcome by then, the processor is asked repeatedly.",
    ),
  PAYMENT_ABANDON_SECONDS: z.coerce
    .number()
    .min(0.1)
    .default(25)
    .describe(
      "Seconds after which a charge unknown to the processor is given up. At least the sum of PAYMENT_SETTLE_SECONDS and STRIPE_TIMEOUT_MS.",
    ),
  RECEIPT_KEY: key
    .optional()
    .describe(
      "Signs payment receipts: an Ed25519 seed, 32 bytes as base64; required in production if payments are on.",
    ),
  RECEIPT_KEYS_RETIRED: keys((text) => isKey(text.replace(/^public:/, "")))
    .default([])
    .describe("Earlier receipt keys, still published: seeds, or public: and the public key, comma-separated."),
};

export function paymentProblems(env: Values<typeof paymentVariables & typeof serverVariables>): string[] {
  const problems: string[] = [];
  const { STRIPE_TIMEOUT_MS, PAYMENT_SETTLE_SECONDS, PAYMENT_ABANDON_SECONDS } = env;
  // A charge may start until the first time-out, and then take as long as the second. Until both have passed, no reply
  // may say that nothing was charged.
  if (PAYMENT_ABANDON_SECONDS * 1000 < PAYMENT_SETTLE_SECONDS * 1000 + STRIPE_TIMEOUT_MS) {
    problems.push("PAYMENT_ABANDON_SECONDS: must be at least PAYMENT_SETTLE_SECONDS and STRIPE_TIMEOUT_MS together");
  }
  if (env.NODE_ENV !== "production" || !env.STRIPE_SECRET_KEY) return problems;
  if (!env.RECEIPT_KEY) {
    problems.push("RECEIPT_KEY: required in production if payments are on; make one with: openssl rand -base64 32");
  }
  if (!env.STRIPE_WEBHOOK_SECRET) {
    problems.push("STRIPE_WEBHOOK_SECRET: required in production if payments are on; the processor shows it");
  }
  if (env.STRIPE_NETWORK_ID === TEST_NETWORK_ID) {
    problems.push("STRIPE_NETWORK_ID: required in production if payments are on; the processor shows it");
  }
  return problems;
}
