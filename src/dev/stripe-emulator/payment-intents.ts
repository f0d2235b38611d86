import { z } from "zod";
import { confirm } from "./confirm.ts";
import { flag, ignored, integer, metadata, read, text } from "./form.ts";
import type { PaymentIntent } from "./objects.ts";
import { findPaymentSource, paymentSourceInput } from "./payment-source.ts";
import { invalid, noSuch } from "./refusal.ts";
import { newId } from "./store.ts";
import type { Call } from "./world.ts";

const MIN_CENTS = 50;
const MAX_CENTS = 99_999_999;

const CreateInput = z.strictObject({
  ...paymentSourceInput,
  amount: integer,
  currency: z.string().regex(/^[a-z]{3}$/, "must be a currency code in lower case"),
  confirm: flag.default(false),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(["always", "never"]).default("always") })
    .optional(),
  allowed_payment_method_types: ignored,
  customer: text.optional(),
  description: text.max(1000).optional(),
  metadata,
  receipt_email: text.optional(),
  statement_descriptor_suffix: ignored,
});

const ConfirmInput = z.strictObject(paymentSourceInput);

export function createIntent(call: Call): PaymentIntent {
  const { world, form } = call;
  const input = read(CreateInput, form);
  const { amount, currency, customer = null, automatic_payment_methods: automatic } = input;
  if (amount < MIN_CENTS) {
    throw invalid("Amount must be at least $0.50 usd.", { code: "amount_too_small", param: "amount" });
  }
  if (amount > MAX_CENTS) {
    throw invalid("Amount must be no more than $999,999.99.", { code: "amount_too_large", param: "amount" });
  }
  if (customer && !world.store.get("customer", customer)) throw noSuch("customer", customer, "customer");
  if (input.confirm && automatic?.allow_redirects !== "never" && !form.return_url) {
    throw invalid(
      "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these " +
        "payment methods might redirect your customer off of your page, you must provide a `return_url`.",
    );
  }
  const found = findPaymentSource(call, input, { amount, currency, customer });
  if (input.confirm && !found) throw noPaymentSource();

  const id = newId("pi");
  const intent = world.store.add<PaymentIntent>({
    id,
    object: "payment_intent",
    created: world.now(),
    livemode: false,
    amount,
    amount_received: 0,
    automatic_payment_methods: automatic ?? null,
    canceled_at: null,
    client_secret: `${id}_secret_${newId("s")}`,
    currency,
    customer,
    description: input.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: input.metadata,
    next_action: null,
    payment_method: found?.method.id ?? null,
    receipt_email: input.receipt_email ?? null,
    status: found ? "requires_confirmation" : "requires_payment_method",
    _key: call.key,
  });
  world.emit("payment_intent.created", intent, call);
  return input.confirm && found ? confirm(call, intent, found) : intent;
}

export function confirmIntent(call: Call): PaymentIntent {
  const intent = findIntent(call);
  const input = read(ConfirmInput, call.form);
  if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status)) {
    throw unexpected(intent, "confirm");
  }
  const payment_method = input.payment_method ?? intent.payment_method ?? undefined;
  const found = findPaymentSource(call, { ...input, payment_method }, intent);
  if (!found) throw noPaymentSource();
  return confirm(call, intent, found);
}

export function cancelIntent(call: Call): PaymentIntent {
  const intent = findIntent(call);
  if (intent.status === "succeeded" || intent.status === "canceled" || intent.status === "processing") {
    throw unexpected(intent, "cancel");
  }
  intent.status = "canceled";
  intent.canceled_at = call.world.now();
  call.world.emit("payment_intent.canceled", intent, call);
  return intent;
}

export function findIntent({ world, id }: Call): PaymentIntent {
  const intent = world.store.get("payment_intent", id);
  if (!intent) throw noSuch("payment_intent", id, "intent", 404);
  return intent;
}

const noPaymentSource = () =>
  invalid("You cannot confirm this PaymentIntent because it's missing a payment method.", {
    code: "payment_intent_unexpected_state",
  });

const unexpected = ({ status }: PaymentIntent, verb: string) =>
  invalid(`You cannot ${verb} this PaymentIntent because it has a status of ${status}.`, {
    code: "payment_intent_unexpected_state",
  });
