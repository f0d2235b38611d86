/** Stripe's objects, with the fields that the service reads. Names with a leading `_` are internal. */

type Base<Kind extends string> = { id: string; object: Kind; created: number; livemode: false };

export type Metadata = Record<string, string>;

/** `fingerprint` is the same for the same card in all its tokens. */
export type CardDetails = { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };

export type PaymentError = {
  type: "card_error";
  code: string;
  decline_code?: string;
  message: string;
  charge?: string;
  payment_method?: PaymentMethod;
};

export type PaymentIntent = Base<"payment_intent"> & {
  amount: number;
  amount_received: number;
  automatic_payment_methods: { enabled: boolean; allow_redirects: string } | null;
  canceled_at: number | null;
  client_secret: string;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: PaymentError | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: { type: "use_stripe_sdk" } | null;
  payment_method: string | null;
  receipt_email: string | null;
  status:
    | "requires_payment_method"
    | "requires_confirmation"
    | "requires_action"
    | "processing"
    | "succeeded"
    | "canceled";
  /** The idempotency key under which it was created. */
  _key: string | null;
};

export type Charge = Base<"charge"> & {
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Metadata;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: "card"; card: CardDetails };
  refunded: boolean;
  status: "succeeded" | "pending" | "failed";
};

export type Refund = Base<"refund"> & {
  amount: number;
  charge: string;
  currency: string;
  failure_reason?: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  status: "succeeded" | "failed";
};

export type Dispute = Base<"dispute"> & {
  amount: number;
  charge: string;
  currency: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status: "needs_response" | "warning_needs_response" | "won" | "lost";
};

export type Customer = Base<"customer"> & {
  email: string | null;
  invoice_settings: { default_payment_method: string | null };
  metadata: Metadata;
  name: string | null;
};

export type PaymentMethod = Base<"payment_method"> & {
  card: CardDetails;
  customer: string | null;
  metadata: Metadata;
  type: "card";
  /** The name in TEST_CARDS that determines its behaviour. */
  _card: string;
};

export type SetupIntent = Base<"setup_intent"> & {
  client_secret: string;
  customer: string | null;
  metadata: Metadata;
  payment_method: string | null;
  status: "requires_payment_method" | "requires_confirmation" | "succeeded";
  usage: string;
};

export type Session = Base<"checkout.session"> & {
  cancel_url: string | null;
  currency: string | null;
  customer: string | null;
  expires_at: number;
  metadata: Metadata;
  mode: "setup";
  payment_status: "no_payment_required";
  setup_intent: string;
  status: "open" | "complete" | "expired";
  success_url: string;
  url: string | null;
};

export type GrantedToken = Base<"shared_payment.granted_token"> & {
  agent_details: { network_business_profile: string };
  deactivated_at: number | null;
  deactivated_reason: "consumed" | "expired" | "revoked" | null;
  payment_method_details: { type: "card"; card: CardDetails };
  risk_details: null;
  shared_metadata: Metadata;
  usage_details: { amount_captured: { currency: string; value: number } };
  usage_limits: { currency: string; expires_at: number | null; max_amount: number };
  _card: string;
};

export type Event = Base<"event"> & {
  api_version: string;
  data: { object: unknown };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

export type Objects = {
  payment_intent: PaymentIntent;
  charge: Charge;
  refund: Refund;
  dispute: Dispute;
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  "checkout.session": Session;
  "shared_payment.granted_token": GrantedToken;
  event: Event;
};

export type Kind = keyof Objects;

/** A copy without internal fields. */
export const visible = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key.startsWith("_") ? undefined : inner)));
