import { createSession, expireSession, findSession } from "./checkout.ts";
import {
  attachMethod,
  createCustomer,
  createSetupIntent,
  deleteCustomer,
  detachMethod,
  findCustomer,
  findMethod,
  findSetupIntent,
  updateCustomer,
} from "./customers.ts";
import { listOf, searchIntents } from "./lists.ts";
import type { Kind } from "./objects.ts";
import { cancelIntent, confirmIntent, createIntent, findIntent } from "./payment-intents.ts";
import { createRefund } from "./refunds.ts";
import { noSuch } from "./refusal.ts";
import { grantToken, readToken, revokeToken } from "./tokens.ts";
import type { Handler } from "./world.ts";

const found =
  (kind: Kind): Handler =>
  ({ world, id }) => {
    const object = world.store.get(kind, id);
    if (!object) throw noSuch(kind, id, "id", 404);
    return object;
  };

/** The emulated part of Stripe's API. The first matching route is used. */
const ROUTES: [route: string, handler: Handler][] = [
  ["POST /v1/payment_intents", createIntent],
  ["GET /v1/payment_intents", listOf("payment_intent", "customer")],
  ["GET /v1/payment_intents/search", searchIntents],
  ["GET /v1/payment_intents/:id", findIntent],
  ["POST /v1/payment_intents/:id/confirm", confirmIntent],
  ["POST /v1/payment_intents/:id/cancel", cancelIntent],
  ["GET /v1/charges", listOf("charge", "payment_intent", "customer")],
  ["GET /v1/charges/:id", found("charge")],
  ["POST /v1/refunds", createRefund],
  ["GET /v1/refunds", listOf("refund", "payment_intent", "charge")],
  ["GET /v1/refunds/:id", found("refund")],
  ["GET /v1/disputes", listOf("dispute", "payment_intent", "charge")],
  ["GET /v1/disputes/:id", found("dispute")],
  ["POST /v1/test_helpers/shared_payment/granted_tokens", grantToken],
  ["POST /v1/test_helpers/shared_payment/granted_tokens/:id/revoke", revokeToken],
  ["POST /v1/shared_payment/issued_tokens", grantToken],
  ["GET /v1/shared_payment/granted_tokens/:id", readToken],
  ["POST /v1/customers", createCustomer],
  ["GET /v1/customers", listOf("customer", "email")],
  ["GET /v1/customers/:id", findCustomer],
  ["POST /v1/customers/:id", updateCustomer],
  ["DELETE /v1/customers/:id", deleteCustomer],
  ["GET /v1/customers/:id/payment_methods", listOf("payment_method", "type")],
  ["GET /v1/payment_methods", listOf("payment_method", "customer", "type")],
  ["GET /v1/payment_methods/:id", findMethod],
  ["POST /v1/payment_methods/:id/attach", attachMethod],
  ["POST /v1/payment_methods/:id/detach", detachMethod],
  ["POST /v1/setup_intents", createSetupIntent],
  ["GET /v1/setup_intents/:id", findSetupIntent],
  ["POST /v1/checkout/sessions", createSession],
  ["GET /v1/checkout/sessions/:id", findSession],
  ["POST /v1/checkout/sessions/:id/expire", expireSession],
  ["GET /v1/events", listOf("event", "type")],
  ["GET /v1/events/:id", found("event")],
];

const compiled = ROUTES.map(([route, handler]) => ({ parts: route.split("/"), handler }));

export function routeFor(method: string, path: string): { handler: Handler; id: string } | undefined {
  const called = `${method} ${path}`.split("/");
  const found = compiled.find(
    ({ parts }) =>
      parts.length === called.length &&
      parts.every((part, n) => (part === ":id" ? called[n] !== "" : part === called[n])),
  );
  return found && { handler: found.handler, id: called[found.parts.indexOf(":id")] ?? "" };
}
