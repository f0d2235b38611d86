import { z } from "zod";
import { CAP_NAMES, PLANS } from "./domain/kernel/plans.ts";

/** All environment variables, with their meaning and default. `.env.example` repeats the names. */

const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(0);
const some = z.coerce.number().int().min(1);
const flag = z.enum(["true", "false", "1", "0"]).transform((value) => value === "true" || value === "1");
const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);
const optional = z.string().optional();

const address = (...protocols: string[]) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ""), {
    message: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}; a password in it is percent-encoded`,
  });
const http = z.url({ protocol: /^https?$/, message: "must be an address that begins with https:// or http://" });

const isKey = (text: string) => Buffer.from(text, "base64").length === 32;
const key = z.string().refine(isKey, "must be 32 bytes as base64; make one with: openssl rand -base64 32");
const keys = (isOne: (text: string) => boolean) =>
  list.refine((values) => values.every(isOne), "must be keys of 32 bytes as base64, comma-separated");

const cap = z.int().min(0).nullable().optional();
const caps = z.strictObject(Object.fromEntries(CAP_NAMES.map((name) => [name, cap])));
const planCaps = z.strictObject(Object.fromEntries(PLANS.map((plan) => [plan, caps.optional()])));

/** Stripe's test network profile. Buyers' tokens for it pay nobody. */
export const TEST_NETWORK_ID = "profile_test_123";

export const variables = {
  NODE_ENV: z
    .enum(["production", "development", "test"])
    .default("production")
    .describe("Relaxes the rules named below in development and test."),
  PORT: port.default(3000).describe("Port of the web process."),
  HOST: z.string().default("0.0.0.0").describe("Address the web process listens on."),
  BASE_URL: http
    .optional()
    .describe(
      "Public address, as clients see it; required in production where payments are on. Default: http://localhost:PORT.",
    ),
  TRUSTED_PROXIES: count
    .default(0)
    .describe("Proxies in front of the web process whose X-Forwarded-For is believed. Heroku: 1."),
  DATABASE_URL: address("postgres:", "postgresql:")
    .default("postgres://localhost:5432/muster")
    .describe("Postgres, sslmode=require for TLS."),
  DATABASE_POOL: some.default(10).describe("Postgres connections of one process, reads and writes together."),
  DATABASE_SSL_NO_VERIFY: flag.default(false).describe("Accept a self-signed Postgres certificate, as on Heroku."),
  REDIS_URL: address("redis:", "rediss:").default("redis://localhost:6379").describe("Redis, rediss: for TLS."),
  REDIS_TLS_NO_VERIFY: flag.default(false).describe("Accept a self-signed Redis certificate, as on Heroku."),
  REDIS_PREFIX: z
    .string()
    .default("muster")
    .describe("First part of every Redis key; installations sharing a Redis need different ones."),
  SECRET_KEY: key
    .optional()
    .describe("Seals secrets that must be read again (webhook secrets). 32 bytes as base64; required in production."),
  SECRET_KEYS_RETIRED: keys(isKey)
    .default([])
    .describe("Earlier values of SECRET_KEY, comma-separated, still able to open what they sealed."),
  OPERATOR_PASSWORD: optional.describe(
    "Password (user operator) of /admin/queues and /metrics. Unset: both answer 404.",
  ),
  OPERATOR_HOSTS: list
    .default([])
    .describe(
      "Host names under which /admin/queues and /metrics answer besides that of BASE_URL and localhost, comma-separated; * for any.",
    ),
  STOP_SECONDS: z.coerce
    .number()
    .min(3)
    .default(25)
    .describe("Seconds in which a process ends after SIGTERM: less than the platform grants before SIGKILL."),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .default(5)
    .describe(
      "Seconds after SIGTERM in which web still takes requests while /readyz answers 503: longer than a balancer needs to notice. At most STOP_SECONDS less 3.",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least severe line that is logged."),
  WORKER_QUEUES: list.default([]).describe("Queues this worker serves, comma-separated. Empty: all."),
  WORKER_PORT: port.optional().describe("Port on which a worker answers /healthz and /metrics. Unset: none."),
  LENIENT_INPUT: flag
    .default(false)
    .describe("Ignore unknown fields and parameters with a warning instead of refusing them."),
  DEFAULT_PLAN: z.enum(["free", "pro", "business"]).default("business").describe("Plan of a new workspace."),
  PLAN_CAPS: z
    .string()
    .default("{}")
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: "custom", message: "is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(planCaps)
    .describe('Overrides of plan caps as JSON, e.g. {"free":{"projects":10}}; null means no cap.'),
  RESTORE_WINDOW_DAYS: z
    .union([z.literal("null").transform(() => null), z.coerce.number().int().min(1)])
    .default(30)
    .describe("Days in which an archived object can be restored; null: for ever."),
  RATE_LIMIT_PER_MINUTE: some.default(600).describe("Requests a minute of a key that has no limit of its own."),
  BAD_CREDENTIALS_PER_MINUTE: some
    .default(100)
    .describe("Requests with a bad credential, or a wrong operator password, a minute from one address."),
  WEBHOOK_ALLOW_LOOPBACK: flag
    .default(false)
    .describe("Development: webhooks may use http and point at loopback addresses."),
  WEBHOOK_RETRY_SECONDS: list
    .default(["5", "300", "1800", "7200", "18000", "36000", "50400", "72000", "86400"])
    .transform((values) => values.map(Number))
    .refine((values) => values.every((seconds) => seconds > 0), "must be numbers of seconds")
    .describe("Waits before the second, third, … attempt of a delivery, in seconds."),
  WEBHOOK_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(10)
    .default(15_000)
    .describe("Time a receiver has for its answer, in milliseconds."),
  WEBHOOK_CONCURRENCY: some.default(200).describe("Deliveries one worker process has in flight."),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: some
    .default(10)
    .describe("Deliveries in flight to one endpoint, over all workers."),
  STRIPE_SECRET_KEY: optional.describe("Key of the card processor. Unset: buying credits answers 503."),
  STRIPE_WEBHOOK_SECRET: optional.describe(
    "Verifies the processor's notices at /api/webhooks/stripe; required in production where payments are on.",
  ),
  STRIPE_API_BASE: http.optional().describe("Where Stripe's API is spoken. Unset: Stripe itself."),
  STRIPE_SPT_VERSION: z
    .string()
    .default("2026-07-29.preview")
    .describe("API version whose payment intents take shared payment tokens."),
  STRIPE_NETWORK_ID: z
    .string()
    .default(TEST_NETWORK_ID)
    .describe("The processor's id of the seller, shown in challenges; required in production where payments are on."),
  STRIPE_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe("Time a charge may take, in milliseconds."),
  PAYMENT_METHOD: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("stripe")
    .describe("Name of the payment method in challenges."),
  CHALLENGES_PER_MINUTE: some.default(10).describe("Unpaid calls for credits a minute of one workspace."),
  PAYMENT_SETTLE_SECONDS: z.coerce
    .number()
    .min(0.1)
    .default(5)
    .describe(
      "A charge starts within so many seconds of its call; without an outcome by then, the processor is asked, again and again.",
    ),
  PAYMENT_ABANDON_SECONDS: z.coerce
    .number()
    .min(0.1)
    .default(25)
    .describe(
      "A charge that the processor does not know is given up after so many seconds; at least PAYMENT_SETTLE_SECONDS and STRIPE_TIMEOUT_MS together.",
    ),
  RECEIPT_KEY: key
    .optional()
    .describe(
      "Signs payment receipts: an Ed25519 seed, 32 bytes as base64; required in production where payments are on.",
    ),
  RECEIPT_KEYS_RETIRED: keys((text) => isKey(text.replace(/^public:/, "")))
    .default([])
    .describe("Earlier receipt keys, still published: seeds, or public: and the public key, comma-separated."),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe("Mail server: smtps://user:password@host, or smtp:, which uses TLS if offered. Unset: mail is off."),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n@]*@[^\r\n@]+$/, "must be an address, or a name and an address: Muster <muster@example.com>")
    .optional()
    .describe("Sender of mail. Default: Muster <no-reply@host of BASE_URL>."),
  MAILBOX_FOLDER: optional.describe(
    "Development: where captured mail is kept, shown at /dev/mailbox. Refused in production.",
  ),
  FILES_FOLDER: z
    .string()
    .min(1)
    .default("files")
    .describe("Folder of attached files, shared by all web and worker processes. Unused where S3_BUCKET is set."),
  S3_BUCKET: optional.describe("Bucket of attached files in an S3-compatible store. Unset: they lie in FILES_FOLDER."),
  S3_REGION: z.string().min(1).default("us-east-1").describe("Region of the bucket."),
  S3_ENDPOINT: http.optional().describe("Where the object store is, as clients reach it too. Unset: Amazon S3."),
  S3_PATH_STYLE: flag.default(false).describe("Name the bucket in the path instead of in the host, as MinIO does."),
  S3_ACCESS_KEY_ID: optional.describe("Unset: credentials are found as Amazon's tools find them."),
  S3_SECRET_ACCESS_KEY: optional.describe("Goes with S3_ACCESS_KEY_ID."),
  S3_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(10_000)
    .describe("Time the object store has for an answer, in milliseconds; for copying a file, twelve times as much."),
  SIGN_INS_PER_MINUTE: some.default(20).describe("Forms of signing in a minute from one address."),
  ANONYMOUS_READS_PER_MINUTE: some.default(120).describe("Public forms opened a minute from one address."),
  PUBLIC_FORMS_PER_MINUTE: some.default(10).describe("Answers to public forms a minute from one address."),
  INVITES_PER_DAY: some.default(100).describe("Invites a person may send in 24 hours."),
  WORKSPACES_PER_DAY: count.default(10).describe("Workspaces a person may create in 24 hours."),
  OAUTH_REGISTRATIONS_PER_HOUR: some
    .default(20)
    .describe("OAuth clients that may register within an hour from one address."),
  OAUTH_REGISTRATIONS_PER_DAY: some
    .default(60)
    .describe("OAuth clients that may register within a day and name the same workspace."),
  OAUTH_TOKEN_REQUESTS_PER_MINUTE: some
    .default(60)
    .describe(
      "Requests a minute to the token and revocation endpoints: of one OAuth client from one address, and of one grant.",
    ),
  OAUTH_AUTHORIZATIONS_PER_MINUTE: some.default(60).describe("Authorization requests a minute from one address."),
  OAUTH_REUSE_QUIET_SECONDS: count
    .default(10)
    .describe("A refresh token used again so soon after its use is refused without ending its grant."),
  SWEEP_SECONDS: z.coerce.number().min(0.1).default(10).describe("How often lost jobs are looked for, in seconds."),
  EVENT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .default(92)
    .describe("Days events are kept; older monthly partitions are dropped."),
} satisfies Record<string, z.ZodType>;
