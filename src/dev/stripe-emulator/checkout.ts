import { z } from "zod";
import { TEST_CARDS } from "./cards.ts";
import { completeSetup, newSetupIntent } from "./customers.ts";
import { ignored, metadata, read, text } from "./form.ts";
import type { Session } from "./objects.ts";
import { invalid, noSuch } from "./refusal.ts";
import { newId } from "./store.ts";
import type { Call, World } from "./world.ts";

/** Emulates Stripe's page for saving a card. */

const DAY = 24 * 3600;

const SessionInput = z.strictObject({
  mode: z.literal("setup"),
  customer: text.optional(),
  currency: text.optional(),
  allowed_payment_method_types: ignored,
  success_url: z.url(),
  cancel_url: z.url().optional(),
  client_reference_id: ignored,
  metadata,
  setup_intent_data: z.strictObject({ metadata, description: ignored }).optional(),
});

export function createSession(call: Call): Session {
  const { world, form } = call;
  const input = read(SessionInput, form);
  const { customer = null, currency = null } = input;
  if (customer && !world.store.get("customer", customer)) throw noSuch("customer", customer, "customer");
  if (!currency && !input.allowed_payment_method_types) {
    throw invalid("Missing required param: currency.", { code: "parameter_missing", param: "currency" });
  }
  const id = newId("cs_test");
  return world.store.add<Session>({
    id,
    object: "checkout.session",
    created: world.now(),
    livemode: false,
    cancel_url: input.cancel_url ?? null,
    currency,
    customer,
    expires_at: world.now() + DAY,
    metadata: input.metadata,
    mode: "setup",
    payment_status: "no_payment_required",
    setup_intent: newSetupIntent(world, customer, input.setup_intent_data?.metadata ?? {}).id,
    status: "open",
    success_url: input.success_url,
    url: `${world.url}/checkout/${id}`,
  });
}

export function findSession({ world, id }: Pick<Call, "world" | "id">): Session {
  const session = world.store.get("checkout.session", id);
  if (!session) throw noSuch("checkout.session", id, "session", 404);
  if (session.status === "open" && session.expires_at <= world.now()) session.status = "expired";
  return session;
}

export function expireSession(call: Call): Session {
  const session = findSession(call);
  if (session.status !== "open") throw invalid("Only Checkout Sessions with a status of open can be expired.");
  session.status = "expired";
  session.url = null;
  call.world.emit("checkout.session.expired", session, call);
  return session;
}

/** The effect of the page's button. Returns the address to redirect to. Pressing twice saves one card. */
export function completeSession(world: World, id: string, card = "pm_card_visa"): { session: Session; next: string } {
  const session = findSession({ world, id });
  const next = session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
  if (session.status === "complete") return { session, next };
  const intent = world.store.get("setup_intent", session.setup_intent);
  if (session.status !== "open" || !intent) throw invalid("This session can no longer be completed.");
  completeSetup(world, intent, card);
  session.status = "complete";
  session.url = null;
  world.emit("checkout.session.completed", session);
  return { session, next };
}

export function checkoutPage({ cancel_url, status }: Session): string {
  const cards = Object.entries(TEST_CARDS).map(
    ([name, { brand, last4 }]) =>
      `<option value="${escaped(name)}">${escaped(`${brand} •••• ${last4}, ${name.replace("pm_card_", "")}`)}</option>`,
  );
  const form = `<form method="post"><label>Card <select name="card">${cards.join("")}</select></label>
<p><button>Save card</button>${cancel_url ? ` <a href="${escaped(cancel_url)}">Cancel</a>` : ""}</p></form>`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Save a card</title>
<style>body{font:16px/1.5 system-ui;max-width:30rem;margin:4rem auto;padding:0 1rem}select,button{font:inherit}</style>
<h1>Save a card</h1>
<p>Test mode: a stand-in for Stripe's page. No card is charged.</p>
${status === "open" ? form : "<p>This page has been used.</p>"}
</html>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
