import type { Plan, Plans } from "./plans.ts";

/** Settings of the installation that rules depend on. */
export type Settings = {
  baseUrl: string;
  plans: Plans;
  restoreWindowDays: number | null;
  rateLimitPerMinute: number;
  webhookAllowLoopback: boolean;
  webhooks: WebhookRules;
  eventRetentionDays: number;
  auditRetentionDays: number;
  /** After so much silence a running session of an agent fails. 0: never. */
  agentHeartbeatHours: number;
  payments: PaymentRules;
  people: PeopleRules;
  oauth: OAuthRules;
  forms: FormRules;
  modelPrices: ModelPrices;
  /** How long a report of usage is kept after the end of its session. Sums stay. */
  usageRetentionDays: number;
  /** How long the counts of a day are kept. */
  keyUsageRetentionDays: number;
};

/** Prices of a million tokens, in millionths of a US dollar. */
export type Rates = { input: bigint; cache_read: bigint; cache_write: bigint; output: bigint };

export type ModelPrices = {
  /** When the prices were looked up. */
  date: string;
  /** By the beginning of the model's name, in lower case and with dashes for dots. */
  models: ReadonlyMap<string, Rates>;
  /** Of all other models. Null: their costs are not estimated. */
  others: Rates | null;
};

export type FormRules = {
  /** Views of public forms per minute from one address. */
  readsPerMinute: number;
  /** Submissions of public forms per minute from one address. */
  sendingsPerMinute: number;
};

/** Settings of sign-in and sign-up. */
export type PeopleRules = {
  /** Whether there is a mail server to send links with. */
  mail: boolean;
  /** Sign-in requests per minute from one address. */
  signInsPerMinute: number;
  /** Of one person. */
  invitesPerDay: number;
  /** Plan of a workspace that a person creates. */
  defaultPlan: Plan;
  workspacesPerDay: number;
};

export type OAuthRules = {
  /** From one address. */
  registrationsPerHour: number;
  /** That name one workspace. */
  registrationsPerDay: number;
  /** Of one client from one address, and of one grant. */
  tokenRequestsPerMinute: number;
  /** From one address. */
  authorizationsPerMinute: number;
  /** A refresh token that is used again this soon after its use is refused, but does not count as stolen. */
  reuseQuietSeconds: number;
};

export type PaymentRules = {
  /** Whether there is a card processor to charge with. */
  enabled: boolean;
  /** Name of the payment method in challenges. */
  method: string;
  networkId: string;
  paymentMethodTypes: readonly string[];
  challengesPerMinute: number;
  /** How long after its call a charge may start. After that, the sweep checks its outcome. */
  settleAfterMs: number;
  /** How long after its call a charge that the processor does not know counts as in progress. */
  abandonAfterMs: number;
};

export type WebhookRules = {
  /** Waits before the second, third, … attempt. */
  retrySeconds: readonly number[];
  timeoutMs: number;
  concurrencyPerEndpoint: number;
};
