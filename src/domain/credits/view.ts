import { z } from "zod";
import { id, timestamp } from "../wire.ts";
import { SignedReceipt } from "./receipts.ts";

/** A purchase, as the buyer is answered. Money in minor units, as strings. */
export const PurchaseView = z
  .object({
    id,
    purchase_id: id,
    challenge_id: z.string(),
    pack: z.string(),
    credits: z.number().int(),
    amount: z.string(),
    currency: z.string(),
    payment_status: z
      .enum(["succeeded", "pending", "failed", "refunded"])
      .describe(
        "refunded: the charge came after the purchase had failed and another one had been made in its place; the money goes back.",
      ),
    credits_status: z.enum(["granted", "pending", "none"]),
    ai_credits: z.object({ remaining: z.number().int(), topup_balance: z.number().int() }),
    balance: z.number().int(),
    refunded_credits: z.number().int().describe("Taken back so far, by refunds and disputes."),
    receipt: SignedReceipt.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Purchase" });
export type PurchaseView = z.input<typeof PurchaseView>;

export const CardSetupView = z
  .object({ url: z.url().describe("The processor's page, for a person's browser; good for a day.") })
  .meta({ id: "CardSetup" });
