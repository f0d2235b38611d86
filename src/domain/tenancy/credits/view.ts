import { z } from "zod";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutBalance, aboutCardSetup, aboutPurchase } from "./descriptions.ts";
import { SignedReceipt } from "./receipts.ts";

/** A purchase in replies to the buyer. Amounts of money are strings in minor units. */
export const PurchaseView = view("Purchase", aboutPurchase, {
  id,
  purchase_id: id,
  challenge_id: z.string(),
  pack: z.string(),
  credits: z.number().int(),
  amount: z.string(),
  currency: z.string(),
  payment_status: z.enum(["succeeded", "pending", "failed", "refunded"]),
  credits_status: z.enum(["granted", "pending", "none"]),
  ai_credits: part(aboutBalance, { remaining: z.number().int(), topup_balance: z.number().int() }),
  balance: z.number().int(),
  refunded_credits: z.number().int(),
  receipt: SignedReceipt.nullable(),
  created_at: timestamp,
});
export type PurchaseView = z.input<typeof PurchaseView>;

export const CardSetupView = view("CardSetup", aboutCardSetup, { url: z.url() });
