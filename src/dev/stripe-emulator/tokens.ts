import { z } from "zod";
import { type Behaviour, behaviourOf, declineOf, detailsOf, isTestCard } from "./cards.ts";
import { ignored, integer, metadata, read, text } from "./form.ts";
import type { GrantedToken } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import { newId } from "./store.ts";
import type { Call, World } from "./world.ts";

/** Shared payment tokens: a buyer's program allows a seller to charge a card up to a limit. */

const DAY = 24 * 3600;

const GrantInput = z.strictObject({
  payment_method: text,
  usage_limits: z.strictObject({ currency: text, max_amount: integer, expires_at: integer.optional() }),
  seller_details: ignored,
  shared_metadata: metadata,
  metadata,
  customer: ignored,
});

/** `POST /v1/test_helpers/shared_payment/granted_tokens`, and the live spelling of a buyer's account. */
export function grantToken({ world, form }: Call): GrantedToken {
  const input = read(GrantInput, form);
  const { currency, max_amount, expires_at = null } = input.usage_limits;
  const name = world.store.get("payment_method", input.payment_method)?._card ?? input.payment_method;
  if (!isTestCard(name)) throw noSuch("PaymentMethod", input.payment_method, "payment_method");
  if (expires_at !== null && (expires_at <= world.now() || expires_at > world.now() + 90 * DAY)) {
    throw invalid("The expires_at must be in the future, at most 90 days.", { param: "usage_limits[expires_at]" });
  }
  const token = world.store.add<GrantedToken>({
    id: newId("spt"),
    object: "shared_payment.granted_token",
    created: world.now(),
    livemode: false,
    agent_details: { network_business_profile: "profile_test_emulator" },
    deactivated_at: null,
    deactivated_reason: null,
    payment_method_details: { type: "card", card: detailsOf(name, world.now()) },
    risk_details: null,
    shared_metadata: { ...input.metadata, ...input.shared_metadata },
    usage_details: { amount_captured: { currency, value: 0 } },
    usage_limits: { currency, expires_at, max_amount },
    _card: name,
  });
  return token;
}

export function readToken({ world, id }: Call): GrantedToken {
  const token = world.store.get("shared_payment.granted_token", id);
  if (!token) throw noSuch("shared_payment.granted_token", id, "shared_payment_granted_token", 404);
  expire(world, token);
  return token;
}

export function revokeToken(call: Call): GrantedToken {
  const token = readToken(call);
  deactivate(call.world, token, "revoked");
  return token;
}

export type Usable = { card: string; behaviour: Behaviour; token: GrantedToken | null; silent: boolean };

/**
 * The effect of charging a token. Stripe rejects tokens with a 400 of type invalid_request_error and these exact
 * messages, without a code. An expired token has the same message as a spent one.
 */
export function useToken(world: World, id: string, amount: number, currency: string): Usable {
  const token = world.store.get("shared_payment.granted_token", id) ?? null;
  if (!token) return useReserved(id);

  expire(world, token);
  const { usage_limits: limits, usage_details: used } = token;
  if (token.deactivated_at !== null) throw deactivated();
  if (currency !== limits.currency) throw invalid("The currency does not match this shared payment granted token.");
  if (used.amount_captured.value + amount > limits.max_amount) throw tooSmall();
  return { card: token._card, behaviour: behaviourOf(token._card), token, silent: false };
}

/** Counts a capture. A token whose limit is reached is spent. Refunds do not restore it. */
export function spend(world: World, token: GrantedToken, amount: number): void {
  token.usage_details.amount_captured.value += amount;
  if (token.usage_details.amount_captured.value >= token.usage_limits.max_amount) deactivate(world, token, "consumed");
}

const RESERVED: Record<string, Partial<Usable>> = {
  declined: { behaviour: declineOf("generic_decline") },
  action: { behaviour: { kind: "authenticates" } },
  processing: { behaviour: { kind: "processes" } },
  // It charges, but the reply gets lost.
  timeout: { silent: true },
};

/** `spt_test_…` needs no grant: it pays any amount, unless its name says otherwise. */
function useReserved(id: string): Usable {
  const [, word = ""] = /^spt_test_([a-z]+)(?:_|$)/.exec(id) ?? [];
  if (!id.startsWith("spt_test_")) throw noSuch("shared_payment.granted_token", id, TOKEN_PARAM);
  if (word === "expired") throw deactivated();
  if (word === "limit") throw tooSmall();
  return { card: "pm_card_visa", behaviour: { kind: "succeeds" }, token: null, silent: false, ...RESERVED[word] };
}

const TOKEN_PARAM = "payment_method_data[shared_payment_granted_token]";

const deactivated = () =>
  invalid("The shared payment granted token cannot be used because it is already in a deactivated state.");

const tooSmall = () =>
  invalid(
    "The requested amount is greater than the remaining amount capturable with this shared payment granted token.",
  );

function expire(world: World, token: GrantedToken): void {
  const { expires_at } = token.usage_limits;
  if (expires_at !== null && expires_at <= world.now()) deactivate(world, token, "expired");
}

function deactivate(world: World, token: GrantedToken, reason: NonNullable<GrantedToken["deactivated_reason"]>): void {
  token.deactivated_at ??= world.now();
  token.deactivated_reason ??= reason;
}
