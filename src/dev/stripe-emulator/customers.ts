import { z } from "zod";
import { isTestCard, newPaymentMethod } from "./cards.ts";
import { flag, ignored, metadata, read, text } from "./form.ts";
import type { Customer, PaymentMethod, SetupIntent } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import { newId } from "./store.ts";
import type { Call, World } from "./world.ts";

/** Customers, their saved cards, and the set-up intents that save them. */

const CustomerInput = z.strictObject({
  email: text.optional(),
  name: text.optional(),
  description: ignored,
  metadata,
  invoice_settings: z.strictObject({ default_payment_method: text }).optional(),
});

export function createCustomer(call: Call): Customer {
  const { world, form } = call;
  const { email = null, name = null, metadata, invoice_settings } = read(CustomerInput, form);
  const customer = world.store.add<Customer>({
    id: newId("cus"),
    object: "customer",
    created: world.now(),
    livemode: false,
    email,
    invoice_settings: invoice_settings ?? { default_payment_method: null },
    metadata,
    name,
  });
  world.emit("customer.created", customer, call);
  return customer;
}

export function updateCustomer(call: Call): Customer {
  const customer = findCustomer(call);
  const { metadata, ...changes } = read(CustomerInput, call.form);
  Object.assign(customer, changes);
  Object.assign(customer.metadata, metadata);
  return customer;
}

export function deleteCustomer(call: Call) {
  const { id } = findCustomer(call);
  const { store } = call.world;
  for (const method of store.all("payment_method")) if (method.customer === id) method.customer = null;
  store.remove(id);
  return { id, object: "customer", deleted: true };
}

export function findCustomer({ world, id }: Call): Customer {
  const customer = world.store.get("customer", id);
  if (!customer) throw noSuch("customer", id, "customer", 404);
  return customer;
}

const AttachInput = z.strictObject({ customer: text });

/** Attaching one of the test names creates a new card. */
export function attachMethod(call: Call): PaymentMethod {
  const { world, form, id } = call;
  const { customer } = read(AttachInput, form);
  if (!world.store.get("customer", customer)) throw noSuch("customer", customer, "customer");
  const method = isTestCard(id) ? world.store.add(newPaymentMethod(id, world.now())) : findMethod(call);
  method.customer = customer;
  world.emit("payment_method.attached", method, call);
  return method;
}

export function detachMethod(call: Call): PaymentMethod {
  const method = findMethod(call);
  if (method.customer === null) throw invalid("The payment method you provided is not attached to a customer.");
  method.customer = null;
  // Stripe does not charge detached cards.
  call.world.store.remove(method.id);
  call.world.emit("payment_method.detached", method, call);
  return method;
}

export function findMethod({ world, id }: Call): PaymentMethod {
  const method = world.store.get("payment_method", id);
  if (!method) throw noSuch("PaymentMethod", id, "payment_method", 404);
  return method;
}

const SetupInput = z.strictObject({
  customer: text.optional(),
  payment_method: text.optional(),
  confirm: flag.default(false),
  usage: z.enum(["off_session", "on_session"]).default("off_session"),
  automatic_payment_methods: ignored,
  allowed_payment_method_types: ignored,
  metadata,
});

export function createSetupIntent(call: Call): SetupIntent {
  const { world, form } = call;
  const { customer = null, payment_method: card, confirm, usage, metadata } = read(SetupInput, form);
  if (customer && !world.store.get("customer", customer)) throw noSuch("customer", customer, "customer");
  const intent = newSetupIntent(world, customer, metadata, usage);
  if (confirm && card) completeSetup(world, intent, card);
  return intent;
}

export function findSetupIntent({ world, id }: Call): SetupIntent {
  const intent = world.store.get("setup_intent", id);
  if (!intent) throw noSuch("setupintent", id, "intent", 404);
  return intent;
}

export function newSetupIntent(
  world: World,
  customer: string | null,
  metadata: Record<string, string>,
  usage = "off_session",
): SetupIntent {
  const id = newId("seti");
  return world.store.add<SetupIntent>({
    id,
    object: "setup_intent",
    created: world.now(),
    livemode: false,
    client_secret: `${id}_secret_${newId("s")}`,
    customer,
    metadata,
    payment_method: null,
    status: "requires_payment_method",
    usage,
  });
}

/** Saves one of the test cards. @throws Refusal for an unknown name */
export function completeSetup(world: World, intent: SetupIntent, card: string): void {
  if (!isTestCard(card)) throw noSuch("PaymentMethod", card, "payment_method");
  const method = world.store.add(newPaymentMethod(card, world.now(), intent.customer));
  intent.payment_method = method.id;
  intent.status = "succeeded";
  world.emit("payment_method.attached", method);
  world.emit("setup_intent.succeeded", intent);
}
