import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { Redis } from "ioredis";
import { openCardProcessor } from "./adapters/card-processor.ts";
import { openDocumentRenderer } from "./adapters/document-renderer.ts";
import { openDocuments } from "./adapters/documents.ts";
import { openEntities } from "./adapters/entities.ts";
import { openChecksums } from "./adapters/file-checksum.ts";
import { openFiles } from "./adapters/files.ts";
import { openKeyUsageBuffer } from "./adapters/key-usage-buffer.ts";
import { openLog } from "./adapters/log.ts";
import { openMailer } from "./adapters/mailer.ts";
import { openOutbound } from "./adapters/outbound-http.ts";
import { openPostgres, type Postgres } from "./adapters/postgres.ts";
import { isConnectionLoss } from "./adapters/postgres-connection.ts";
import { openPublisher } from "./adapters/publisher.ts";
import { openRateLimiter } from "./adapters/rate-limiter.ts";
import { openRedis, queueConnection } from "./adapters/redis.ts";
import { openSubscriber } from "./adapters/subscriber.ts";
import type { Config } from "./config.ts";
import type { Entities } from "./domain/events/unit-of-work.ts";
import { openSignedAddresses } from "./domain/kernel/files/signed-addresses.ts";
import { openKeyedHash } from "./domain/kernel/keyed-hash.ts";
import { definePlans } from "./domain/kernel/plans.ts";
import { Busy, type Log, type Ports, StoreAway } from "./domain/kernel/ports/ports.ts";
import { openSealer } from "./domain/kernel/seal.ts";
import type { Settings } from "./domain/kernel/settings.ts";
import { openReceiptKeys } from "./domain/tenancy/credits/receipts.ts";

/** All resources of a process, opened from the configuration and closed in reverse order. */
export type Resources = {
  config: Config;
  log: Log;
  database: Postgres;
  redis: Redis;
  queueRedis: ReturnType<typeof queueConnection>;
  entities: Entities;
  ports: Ports;
  settings: Settings;
  /** Keys that sign the cookies of authorization requests, newest first. */
  cookieKeys: string[];
  /** Key that signs cursors. Derived, so that it needs no variable of its own. */
  cursorSecret: KeyObject;
  close(): Promise<void>;
};

export function openResources(config: Config, process: string): Resources {
  const log = openLog(config.LOG_LEVEL, process);
  const database = openPostgres(
    {
      ...serverOf(config),
      name: `muster ${process}`,
      pool: config.DATABASE_POOL,
      ...connectionsOf(process, config.DATABASE_POOL),
    },
    log,
  );
  const redisSettings = { url: config.REDIS_URL, noVerify: config.REDIS_TLS_NO_VERIFY };
  const redis = openRedis(redisSettings, log);
  const outbound = openOutbound({ allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK });
  const documents = openDocuments({ allowLoopback: config.WEBHOOK_ALLOW_LOOPBACK });
  const documentRenderer = openDocumentRenderer(
    { processes: config.EXPORT_PROCESSES, timeoutMs: config.EXPORT_TIMEOUT_MS, memoryMb: config.EXPORT_MEMORY_MB },
    log,
  );
  const subscriber = openSubscriber(
    () => new Redis(queueConnection(redisSettings)).on("error", () => {}),
    config.REDIS_PREFIX,
  );
  const rateLimiter = openRateLimiter(redis, config.REDIS_PREFIX, log);
  const cards = openCardProcessor({
    // Without a key the processor is never called, because purchases are rejected first.
    secretKey: config.STRIPE_SECRET_KEY ?? "none",
    webhookSecret: config.STRIPE_WEBHOOK_SECRET ?? "",
    ...(config.STRIPE_API_BASE ? { apiBase: config.STRIPE_API_BASE } : {}),
    sptApiVersion: config.STRIPE_SPT_VERSION,
    timeoutMs: config.STRIPE_TIMEOUT_MS,
  });
  const mailer = openMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const fileAddresses = openSignedAddresses(config.BASE_URL, [config.SECRET_KEY, ...config.SECRET_KEYS_RETIRED]);
  const files = openFiles(config, fileAddresses);
  const ports: Ports = {
    clock: () => new Date().toISOString(),
    publish: openPublisher(redis, config.REDIS_PREFIX),
    subscribe: subscriber.subscribe,
    rateLimiter,
    keyUsage: openKeyUsageBuffer(redis, config.REDIS_PREFIX),
    sealer: openSealer(config.SECRET_KEY, config.SECRET_KEYS_RETIRED),
    paymentHash: openKeyedHash("payments", config.SECRET_KEY, config.SECRET_KEYS_RETIRED),
    sendOutbound: outbound.send,
    fetchDocument: documents.fetch,
    documentRenderer,
    cards,
    receipts: openReceiptKeys({ current: config.RECEIPT_KEY, retired: config.RECEIPT_KEYS_RETIRED }),
    mailer,
    files: files.store,
    fileChecksum: openChecksums(files.store),
    fileAddresses,
  };
  return {
    config,
    log,
    database,
    redis,
    queueRedis: queueConnection(redisSettings),
    entities: openEntities(),
    ports,
    settings: {
      baseUrl: config.BASE_URL,
      plans: definePlans(config.PLAN_CAPS),
      restoreWindowDays: config.RESTORE_WINDOW_DAYS,
      rateLimitPerMinute: config.RATE_LIMIT_PER_MINUTE,
      webhookAllowLoopback: config.WEBHOOK_ALLOW_LOOPBACK,
      webhooks: {
        retrySeconds: config.WEBHOOK_RETRY_SECONDS,
        timeoutMs: config.WEBHOOK_TIMEOUT_MS,
        concurrencyPerEndpoint: config.WEBHOOK_CONCURRENCY_PER_ENDPOINT,
      },
      eventRetentionDays: config.EVENT_RETENTION_DAYS,
      auditRetentionDays: config.AUDIT_RETENTION_DAYS,
      modelPrices: config.MODEL_PRICES_FILE,
      usageRetentionDays: config.USAGE_RETENTION_DAYS,
      keyUsageRetentionDays: config.KEY_USAGE_RETENTION_DAYS,
      agentHeartbeatHours: config.AGENT_HEARTBEAT_HOURS,
      payments: {
        enabled: config.STRIPE_SECRET_KEY !== undefined,
        method: config.PAYMENT_METHOD,
        networkId: config.STRIPE_NETWORK_ID,
        paymentMethodTypes: ["card", "link"],
        challengesPerMinute: config.CHALLENGES_PER_MINUTE,
        settleAfterMs: config.PAYMENT_SETTLE_SECONDS * 1000,
        abandonAfterMs: config.PAYMENT_ABANDON_SECONDS * 1000,
      },
      people: {
        mail: config.SMTP_URL !== undefined,
        signInsPerMinute: config.SIGN_INS_PER_MINUTE,
        invitesPerDay: config.INVITES_PER_DAY,
        defaultPlan: config.DEFAULT_PLAN,
        workspacesPerDay: config.WORKSPACES_PER_DAY,
      },
      oauth: {
        registrationsPerHour: config.OAUTH_REGISTRATIONS_PER_HOUR,
        registrationsPerDay: config.OAUTH_REGISTRATIONS_PER_DAY,
        tokenRequestsPerMinute: config.OAUTH_TOKEN_REQUESTS_PER_MINUTE,
        authorizationsPerMinute: config.OAUTH_AUTHORIZATIONS_PER_MINUTE,
        reuseQuietSeconds: config.OAUTH_REUSE_QUIET_SECONDS,
      },
      forms: {
        readsPerMinute: config.ANONYMOUS_READS_PER_MINUTE,
        sendingsPerMinute: config.PUBLIC_FORMS_PER_MINUTE,
      },
    },
    cookieKeys: [config.SECRET_KEY, ...config.SECRET_KEYS_RETIRED].map((key) =>
      createHmac("sha256", key).update("cookies").digest("base64url"),
    ),
    cursorSecret: createSecretKey(createHmac("sha256", config.SECRET_KEY).update("cursors").digest()),
    async close() {
      await outbound.close();
      await documents.close();
      documentRenderer.close();
      cards.close();
      mailer.close();
      files.close();
      redis.disconnect();
      subscriber.close();
      await database.close();
    },
  };
}

// The workers' tables may grow from empty to a hundred thousand rows before their statistics are updated. Without
// sequential scans, only the index with the requested order is fast.
const THROUGH_INDEXES =
  "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c enable_incremental_sort=off -c plan_cache_mode=force_generic_plan";

/**
 * Serving processes wait less than a second for a lock, and Postgres ends a transaction that is idle for two seconds.
 * Getting one row may take two lock waits: behind another waiter, and then for the row itself. Together they end
 * before a frozen holder's transaction does, so waiters of the frozen process do not inherit the lock for two more
 * seconds. Web leaves four of ten connections to reads, because people wait for them.
 */
function connectionsOf(process: string, pool: number) {
  const limits = { lockMs: 900, idleMs: 2_000 };
  if (process === "web") return { reads: Math.floor(pool * 0.4), limits };
  if (process === "worker") return { reads: Math.floor(pool * 0.2), limits, settings: THROUGH_INDEXES };
  return {};
}

/** A worker without heartbeats sends nothing, so it does not wait long on a dead connection. */
const HEARTBEAT_REPLY_MS = 5_000;

/** One more connection for a worker's heartbeat, which must not wait behind other statements. */
export const openLifeline = (config: Config, log: Log): Postgres =>
  openPostgres({ ...serverOf(config), name: "muster heartbeat", pool: 1, replyMs: HEARTBEAT_REPLY_MS }, log);

const serverOf = (config: Config) => ({ url: config.DATABASE_URL, noVerify: config.DATABASE_SSL_NO_VERIFY });

/** Access to the operator's pages. */
export const operatorOf = ({ config, ports }: Resources) => ({
  password: config.OPERATOR_PASSWORD,
  rateLimiter: ports.rateLimiter,
  guessesPerMinute: config.BAD_CREDENTIALS_PER_MINUTE,
  hosts: { baseUrl: config.BASE_URL, more: config.OPERATOR_HOSTS },
});

/** The beginnings of Redis' errors while its memory or disk is full, while it starts, and during a failover. */
const REDIS_REFUSES = /^(?:OOM|MISCONF|LOADING|READONLY|MASTERDOWN) /;

/** What ioredis says of commands without a reply. It has no codes for them. */
const REDIS_IS_AWAY: ReadonlySet<string> = new Set([
  "Command timed out",
  "Connection is closed.",
  "Stream isn't writeable and enableOfflineQueue options is false",
  // Commands that were interrupted in a pipeline.
  "Command aborted due to connection close",
]);

/** Whether an error means that Postgres, Redis or the object store is unavailable, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string };
  const overloaded = ["40P01", "55P03", "57014", "53300"].includes(code ?? "");
  const away = error instanceof StoreAway || error instanceof Busy;
  const redisIsAway =
    name === "MaxRetriesPerRequestError" || REDIS_IS_AWAY.has(message ?? "") || REDIS_REFUSES.test(message ?? "");
  return overloaded || away || isConnectionLoss(error) || redisIsAway;
}
