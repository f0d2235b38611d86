import { z } from "zod";
import { type Behaviour, behaviourOf, isTestCard, newPaymentMethod } from "./cards.ts";
import { flag, ignored, text } from "./form.ts";
import type { GrantedToken, PaymentIntent, PaymentMethod } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import { useToken } from "./tokens.ts";
import type { Call } from "./world.ts";

/** Parameters that name the payment method. A token has two spellings; the older one is at the top level. */
export const paymentSourceInput = {
  payment_method: text.optional(),
  payment_method_data: z.strictObject({ shared_payment_granted_token: text }).optional(),
  shared_payment_granted_token: text.optional(),
  off_session: flag.default(false),
  payment_method_options: ignored,
  return_url: ignored,
};

export type PaymentSource = {
  method: PaymentMethod;
  behaviour: Behaviour;
  token: GrantedToken | null;
  silent: boolean;
  offSession: boolean;
};

type Given = {
  payment_method?: string | undefined;
  payment_method_data?: { shared_payment_granted_token: string } | undefined;
  shared_payment_granted_token?: string | undefined;
  off_session: boolean;
};

/** The payment method that the parameters name. Undefined if they name none. @throws Refusal if it cannot be used */
export function findPaymentSource(
  { world, version }: Call,
  given: Given,
  { amount, currency, customer }: Pick<PaymentIntent, "amount" | "currency" | "customer">,
): PaymentSource | undefined {
  const inData = given.payment_method_data?.shared_payment_granted_token;
  const token = inData ?? given.shared_payment_granted_token;
  if (token !== undefined) {
    const field = "shared_payment_granted_token";
    const param = inData === undefined ? field : `payment_method_data[${field}]`;
    // Released versions of the API do not support it.
    if (!version.endsWith(".preview")) {
      throw invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
    }
    const usable = useToken(world, token, amount, currency);
    const method = world.store.add(newPaymentMethod(usable.card, world.now()));
    return { ...usable, method, offSession: given.off_session };
  }

  const name = given.payment_method;
  if (name === undefined) return undefined;
  const saved = world.store.get("payment_method", name);
  if (!saved && !isTestCard(name)) throw noSuch("PaymentMethod", name, "payment_method");
  const method = saved ?? world.store.add(newPaymentMethod(name, world.now()));
  if (method.customer !== null && method.customer !== customer) {
    throw invalid(`The PaymentMethod ${name} does not belong to the Customer you supplied.`, {
      param: "payment_method",
    });
  }
  return { method, behaviour: behaviourOf(method._card), token: null, silent: false, offSession: given.off_session };
}
