import { createHash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import Stripe from "stripe";
import { type CardProcessor, CardsAway, type Charge, type Notice } from "../domain/kernel/ports/card-processor.ts";
import { chargeOf, describe, isWithdrawn, outcomeOfError, outcomeOfIntent, stateOf } from "./card-outcomes.ts";

export type CardProcessorOptions = {
  secretKey: string;
  /** Empty: all notifications are rejected. */
  webhookSecret: string;
  /** Base address of Stripe's API, e.g. http://127.0.0.1:12111. Default: Stripe. */
  apiBase?: string;
  /** The API version whose payment intents accept shared payment tokens. The library's own version does not. */
  sptApiVersion: string;
  /** Limit for a whole call, including the library's second attempt after a closed connection. */
  timeoutMs: number;
};

export type OpenCardProcessor = CardProcessor & {
  /** Closes idle connections. */
  close(): void;
};

/** Charges cards through Stripe, or through a server with Stripe's API at `apiBase`. */
export function openCardProcessor(options: CardProcessorOptions): OpenCardProcessor {
  const base = new URL(options.apiBase ?? "https://api.stripe.com");
  const secure = base.protocol === "https:";
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const stripe = new Stripe(options.secretKey, {
    host: base.hostname,
    port: base.port || (secure ? 443 : 80),
    protocol: secure ? "https" : "http",
    httpAgent: agent,
    timeout: options.timeoutMs,
    // Stripe stores a 500 under the idempotency key and repeats it, so a retry is useless. The library still repeats
    // a call once, with the same key, if the connection was closed.
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const inTime = <T>(call: Promise<T>) => withDeadline(call, options.timeoutMs);
  const ask = <T>(call: Promise<T>) => inTime(call).catch(away);
  const askFor = <T>(call: Promise<T>) => inTime(call).catch(absentOrAway);

  async function retrieve(paymentIntent: string) {
    const intent = await askFor(stripe.paymentIntents.retrieve(paymentIntent, { expand: ["latest_charge"] }));
    return intent && stateWithDisputes(intent);
  }

  async function stateWithDisputes(intent: Stripe.PaymentIntent) {
    if (!chargeOf(intent)?.disputed) return stateOf(intent, 0);
    const { data } = await ask(stripe.disputes.list({ payment_intent: intent.id, limit: 100 }));
    const withdrawn = data.filter(isWithdrawn).reduce((sum, { amount }) => sum + amount, 0);
    return stateOf(intent, withdrawn);
  }

  return {
    async charge(charge) {
      const { idempotencyKey, startBefore } = charge;
      if (Date.now() >= Date.parse(startBefore))
        return { kind: "unknown", message: "It was too late to start.", over: true };
      const apiVersion = charge.kind === "token" ? options.sptApiVersion : undefined;
      try {
        const call = stripe.paymentIntents.create(paramsOf(charge), {
          idempotencyKey,
          ...(apiVersion && { apiVersion }),
        });
        return outcomeOfIntent(await inTime(call));
      } catch (error) {
        return outcomeOfError(error, charge);
      }
    },

    retrieve,

    // Lists instead of search: the search index lags by minutes, and "none found" must mean that there is none.
    async findByPurchase(purchaseId, { since, until }) {
      const created = {
        gte: Math.floor(Date.parse(since) / 1000) - CLOCK_SKEW_SECONDS,
        lte: Math.ceil(Date.parse(until) / 1000) + CLOCK_SKEW_SECONDS,
      };
      const found: Stripe.PaymentIntent[] = [];
      for (let after: string | undefined; ; ) {
        const page = await ask(
          stripe.paymentIntents.list({
            created,
            limit: 100,
            expand: ["data.latest_charge"],
            ...(after && { starting_after: after }),
          }),
        );
        found.push(...page.data.filter(({ metadata }) => metadata.purchase_id === purchaseId));
        after = page.data.at(-1)?.id;
        if (!page.has_more || !after) break;
      }
      return Promise.all(found.map(stateWithDisputes));
    },

    async cancel(paymentIntent) {
      await inTime(stripe.paymentIntents.cancel(paymentIntent)).catch((error) =>
        // It was charged or cancelled in the meantime.
        error.code === "payment_intent_unexpected_state" ? null : absentOrAway(error),
      );
      return retrieve(paymentIntent);
    },

    async refund(paymentIntent, { idempotencyKey, purchaseId }) {
      const params = { payment_intent: paymentIntent, metadata: { purchase_id: purchaseId } };
      try {
        await inTime(stripe.refunds.create(params, { idempotencyKey }));
        return { kind: "refunded" };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return away(error);
        const isDone = error.code === "charge_already_refunded";
        return isDone ? { kind: "refunded" } : { kind: "refused", message: describe(error) };
      }
    },

    async createCustomer({ workspaceId, email, name, instead }) {
      const params = { name, ...(email && { email }), metadata: { workspace_id: workspaceId } };
      // Stripe rejects a known key with other parameters, so the parameters are part of the key. `instead` is part of
      // it because Stripe would otherwise return a customer that was deleted.
      const digest = createHash("sha256")
        .update(JSON.stringify([params, instead]))
        .digest("hex")
        .slice(0, 16);
      const idempotencyKey = `customer_${workspaceId}_${digest}`;
      return (await ask(stripe.customers.create(params, { idempotencyKey }))).id;
    },

    async createSetupSession({ customer, successUrl, cancelUrl, metadata }) {
      const session = await askFor(
        stripe.checkout.sessions.create({
          mode: "setup",
          customer,
          currency: "usd",
          allowed_payment_method_types: ["card"],
          success_url: successUrl,
          cancel_url: cancelUrl,
          metadata,
          setup_intent_data: { metadata },
        }),
      );
      if (!session) return null;
      if (!session.url) throw new CardsAway(`The set-up session ${session.id} has no page.`);
      return { id: session.id, url: session.url };
    },

    async readSetup(setup) {
      const intent = await readSetupIntent(setup);
      const card = typeof intent?.payment_method === "object" ? intent.payment_method : null;
      if (intent?.status !== "succeeded" || !card?.card || typeof intent.customer !== "string") return null;
      const { brand, last4, exp_month: expMonth, exp_year: expYear } = card.card;
      // The session was created when the page was opened; the card was created when its holder had entered it.
      const setUpAt = new Date(card.created * 1000).toISOString();
      return { customer: intent.customer, paymentMethod: card.id, brand, last4, expMonth, expYear, setUpAt };
    },

    verifyNotice(rawBody, signatureHeader) {
      try {
        return noticeOf(
          stripe.webhooks.constructEvent(rawBody, signatureHeader, options.webhookSecret, NOTICE_TOLERANCE_SECONDS),
        );
      } catch {
        return null;
      }
    },

    close() {
      agent.destroy();
    },
  };

  /** The id may come from a URL that anyone can type. */
  async function readSetupIntent(setup: string): Promise<Stripe.SetupIntent | null> {
    if (/^seti_\w+$/.test(setup)) {
      return askFor(stripe.setupIntents.retrieve(setup, { expand: ["payment_method"] }));
    }
    if (!/^cs_\w+$/.test(setup)) return null;
    const session = await askFor(stripe.checkout.sessions.retrieve(setup, { expand: ["setup_intent.payment_method"] }));
    return session && typeof session.setup_intent === "object" ? session.setup_intent : null;
  }
}

const CLOCK_SKEW_SECONDS = 3_600;
const NOTICE_TOLERANCE_SECONDS = 300;

/** The token is sent in the parameter that Stripe's changelog of 2026-04-22 names; `payment_method` rejects it. */
function paramsOf(charge: Charge): Stripe.PaymentIntentCreateParams {
  const means =
    charge.kind === "token"
      ? { payment_method_data: { shared_payment_granted_token: charge.token } as unknown as PaymentMethodData }
      : { customer: charge.customer, payment_method: charge.paymentMethod, off_session: true };
  return {
    amount: charge.amountCents,
    currency: charge.currency,
    confirm: true,
    ...means,
    // No person is present to follow a redirect.
    automatic_payment_methods: { enabled: true, allow_redirects: "never" },
    description: charge.description,
    metadata: charge.metadata,
  };
}

// The library's types belong to a released API version and require a `type`, which a token replaces.
type PaymentMethodData = Stripe.PaymentIntentCreateParams.PaymentMethodData;

/** The library's own time-out restarts with each byte and each attempt. */
async function withDeadline<T>(call: Promise<T>, ms: number): Promise<T> {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
  try {
    return await Promise.race([call, passed]);
  } finally {
    clearTimeout(timer);
  }
}

function absentOrAway(error: unknown): null {
  const absent = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
  return absent ? null : away(error);
}

function away(error: unknown): never {
  throw new CardsAway(describe(error), { cause: error });
}

function noticeOf({ id, type, created, data }: Stripe.Event): Notice | null {
  if (typeof id !== "string" || typeof type !== "string" || typeof created !== "number" || !data) return null;
  const about = data.object as { id?: unknown; payment_intent?: unknown; mode?: unknown };
  const paymentIntent = type.startsWith("payment_intent.") ? about.id : about.payment_intent;
  const setup = type === "setup_intent.succeeded" || (type === "checkout.session.completed" && about.mode === "setup");
  return {
    id,
    type,
    created,
    paymentIntent: typeof paymentIntent === "string" ? paymentIntent : null,
    setup: setup && typeof about.id === "string" ? about.id : null,
    data: about,
  };
}
