import { z } from "zod";
import { CUSTOM_CREDITS } from "../../domain/credits/packs.ts";
import { PurchaseView } from "../../domain/credits/view.ts";
import { problemSchemas } from "../openapi/problems.ts";
import { type Json, referTo } from "../openapi/schemas.ts";

/** What goes in and out of a credit purchase, as JSON Schema. */

export const bodySchemas: Record<"custom" | "fixed", Json> = {
  custom: {
    type: "object",
    required: ["credits"],
    additionalProperties: false,
    properties: {
      credits: {
        type: "integer",
        minimum: CUSTOM_CREDITS.min,
        maximum: CUSTOM_CREDITS.max,
        description: "How many; one costs 1 cent.",
      },
    },
  },
  fixed: { type: "object", additionalProperties: false, description: "Nothing has to be said." },
};

export function paymentSchemas(): Record<string, Json> {
  return { ...viewSchemas(), PaymentProblem: paymentProblem, PaymentChallenge: paymentChallenge, ...problemSchemas };
}

/** The reply's schema; replies grow, so members that are new are no error. */
function viewSchemas(): Record<string, Json> {
  const converted = z.toJSONSchema(z.object({ data: PurchaseView }), {
    io: "output",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $defs } = JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return $defs;
}

const string = (description: string): Json => ({ type: "string", description });

const paymentProblem: Json = {
  description: "A refusal that says what to pay.",
  allOf: [
    referTo("Problem"),
    {
      type: "object",
      required: ["retryable", "challenge"],
      properties: {
        retryable: { type: "boolean", description: "Whether paying the new challenge may succeed." },
        challenge: referTo("PaymentChallenge"),
      },
    },
  ],
};

const price: Record<string, Json> = {
  intent: string("Always `charge`."),
  method: string("The card processor's payment method."),
  amount: string("Price in cents."),
  currency: string("Always `USD`."),
  description: string("For people."),
};

const paymentChallenge: Json = {
  type: "object",
  description: "The challenge of `WWW-Authenticate`, in plain words. Single use.",
  required: ["challenge_id", "expires_at", "credits", ...Object.keys(price), "offers"],
  properties: {
    challenge_id: string("To be sent back in the Payment credential."),
    expires_at: { type: "string", format: "date-time", description: "10 minutes after it was issued." },
    credits: { type: "integer" },
    ...price,
    offers: { type: "array", minItems: 1, items: { type: "object", required: Object.keys(price), properties: price } },
  },
};
