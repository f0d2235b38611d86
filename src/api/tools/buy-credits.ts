import { mayEverCall } from "../engine/access.ts";
import { refuseArgument, textOrNone } from "./arguments.ts";
import type { Callable } from "./callable.ts";
import { answerOf } from "./run-operation.ts";
import type { Tool } from "./tool.ts";

const OPERATIONS = new Map([
  ["small", "buyCreditsSmall"],
  ["medium", "buyCreditsMedium"],
  ["large", "buyCreditsLarge"],
  ["custom", "buyCreditsCustom"],
]);

/** The header in which operations take a payment. */
export const paymentHeaders = (payment: unknown): Record<string, string> => {
  const text = textOrNone("payment", payment);
  return text === undefined ? {} : { authorization: /^payment /i.test(text) ? text : `Payment ${text}` };
};

const PAYMENT = {
  type: "string",
  description:
    'Payment credential for the `challenge` of the error `payment_required`: base64url of `{"challenge_id": "…", "shared_payment_token": "…"}` or `{"challenge_id": "…", "use_saved_card": true}`.',
};

/** Buys AI credits. The packs are operations of their own, so that each has its own payment terms. */
export function buyCredits(callables: ReadonlyMap<string, Callable>): Tool {
  const small = callables.get("buyCreditsSmall")!;
  return {
    name: "buy_credits",
    title: "Buy AI credits",
    description:
      "Buys AI credits. The first call ends with `payment_required` and a challenge: pay it, and call again with `payment`.",
    inputSchema: {
      type: "object",
      properties: {
        pack: { type: "string", enum: [...OPERATIONS.keys()] },
        credits: { type: "integer", description: "Only with `custom`: 500 to 50,000." },
        payment: PAYMENT,
        idempotency_key: { type: "string" },
      },
      required: ["pack"],
    },
    // A purchase cannot be taken back, and it reaches a card processor.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    isClosed: true,
    isFor: (runtime, located) => mayEverCall(runtime, small.operation, located),
    async run(exchange, { pack, payment, idempotency_key, ...body }) {
      const callable = callables.get(OPERATIONS.get(String(pack)) ?? "");
      if (!callable) refuseArgument("pack", "not_allowed", `must be one of ${[...OPERATIONS.keys()].join(", ")}`);
      return answerOf(exchange, callable, {
        params: {},
        query: {},
        body,
        idempotencyKey: textOrNone("idempotency_key", idempotency_key),
        headers: paymentHeaders(payment),
      });
    },
  };
}
