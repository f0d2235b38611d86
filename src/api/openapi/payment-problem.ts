import { type Json, referTo } from "./schemas.ts";

/** JSON Schema of the reply to an unpaid call for credits. */

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
        challengeId: string("The challenge's id, as the Payment scheme names it."),
        challenge: { ...referTo("PaymentChallenge"), description: "What to pay, and how." },
      },
    },
  ],
};

const price: Record<string, Json> = {
  intent: string("Always `charge`."),
  method: string("The card processor's payment method."),
  amount: string("What the payment costs, in cents, as a string of digits."),
  currency: string("Always `USD`."),
  description: string("What is bought, in a sentence that a client can show to a person."),
};

const paymentChallenge: Json = {
  type: "object",
  description: "The challenge of `WWW-Authenticate`, in plain words. Single use.",
  required: ["challenge_id", "expires_at", "credits", ...Object.keys(price), "offers"],
  properties: {
    challenge_id: string("To be sent back in the Payment credential."),
    expires_at: { type: "string", format: "date-time", description: "10 minutes after it was issued." },
    credits: { type: "integer", description: "Number of credits that the payment buys." },
    ...price,
    offers: {
      type: "array",
      minItems: 1,
      description: "Ways to pay; now one, with the same price.",
      items: { type: "object", required: Object.keys(price), properties: price },
    },
  },
};

export const paymentProblemSchemas: Record<string, Json> = {
  PaymentProblem: paymentProblem,
  PaymentChallenge: paymentChallenge,
};
