import { limitConnections } from "./adapters/connection-limit.ts";
import { openDrain } from "./adapters/drain.ts";
import { openKeyUsageCounter } from "./adapters/key-usage-counter.ts";
import { openKeyUse } from "./adapters/key-use.ts";
import { linger } from "./adapters/linger.ts";
import { openWebMetrics } from "./adapters/metrics.ts";
import { SequentialServer } from "./adapters/sequential-server.ts";
import { openQueueConsole } from "./api/console/queue-console.ts";
import { DOCUMENTS } from "./api/discovery/facts.ts";
import type { Runtime } from "./api/engine/call.ts";
import type { StreamWatch } from "./api/engine/stream.ts";
import { createApp } from "./api/http/app.ts";
import { removeLeftovers } from "./api/http/multipart.ts";
import { limitBody } from "./api/http/time-limit.ts";
import { TOOL_SERVER } from "./api/oauth/resources.ts";
import { openOAuth } from "./api/oauth/server.ts";
import { operations } from "./api/operations/index.ts";
import { pages } from "./api/pages/index.ts";
import { problemPage } from "./api/pages/site/problem-page.ts";
import { backlogOf } from "./backlog.ts";
import type { Config } from "./config.ts";
import { openAccessMemory } from "./domain/access/identity/access.sql.ts";
import { keepFlushes } from "./domain/access/key-usage/key-usage.sql.ts";
import { type LaneWatch, openLanes } from "./domain/kernel/lanes.ts";
import { QUEUE_NAMES } from "./queues/index.ts";
import { checkReady } from "./ready.ts";
import { isUnavailable, openResources, operatorOf, type Resources } from "./resources.ts";
import { warningsOf } from "./start-warnings.ts";
import { within } from "./within.ts";

// Payment credentials may have 16 KiB, in addition to other headers.
const MAX_HEADER_BYTES = 32 * 1024;

/** Time limit for uploading a file. */
const UPLOAD_MS = 3_600_000;

/** The part of the stop time that is reserved for closing resources after the last request. */
const CLOSING_MS = 2_000;

/**
 * The web process: REST, pages and documents. It is stateless; run as many as needed.
 * @param options.isCounting whether the usage of keys is counted now; the benchmark of counting switches it
 */
export async function startWeb(
  config: Config,
  { isCounting = () => true }: { isCounting?: () => boolean } = {},
): Promise<{ resources: Resources; port: number; stop(): Promise<void> }> {
  const resources = openResources(config, "web");
  const { log } = resources;
  const metrics = openWebMetrics(backlogOf(resources));
  const operator = operatorOf(resources);
  const keyUse = openKeyUse(resources.database, log);
  const keyUsage = openKeyUsageCounter({
    buffer: resources.ports.keyUsage,
    keep: (flushes) => keepFlushes(resources.database, flushes),
    log,
  });
  const console = openQueueConsole({
    queues: QUEUE_NAMES,
    connection: resources.queueRedis,
    prefix: config.REDIS_PREFIX,
    operator,
  });
  await removeLeftovers();
  const { cookieKeys } = resources;
  const server = new SequentialServer({ maxHeaderSize: MAX_HEADER_BYTES });
  const drain = openDrain(server);
  limitConnections(server);
  const runtime = runtimeOf(resources, drain.stopping, metrics);
  const oauth = openOAuth({ runtime, cookieKeys, isUnavailable });
  const app = createApp({
    runtime,
    operations,
    otherRoutes: [
      { path: TOOL_SERVER, method: "POST" },
      ...Object.values(DOCUMENTS).map((path) => ({ path, method: "GET" })),
    ],
    pages: pages({
      ready: () => checkReady(resources, drain.stopping),
      metrics,
      operator,
      settings: resources.settings,
      operations,
      runtime,
      mailboxFolder: config.MAILBOX_FOLDER,
      oauth,
      onCaller: keyUse.note,
      isUnavailable,
    }),
    problemPage,
    oauth: oauth.middleware,
    cookieKeys,
    mounts: [console.middleware],
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    isUnavailable,
    onRequest: metrics.observe,
    onCaller: keyUse.note,
    onAnswer: (...call) => {
      if (isCounting()) keyUsage.count(...call);
    },
  });

  server.on("request", app.callback());
  // Longer than the idle timeout of load balancers (60 s), so that they close connections first.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = UPLOAD_MS;
  server.prependListener("request", limitBody);
  server.prependListener("request", linger);
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(config.PORT, config.HOST, listening);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : config.PORT;
  log.info({ port }, `listening on port ${port}`);
  for (const warning of warningsOf(config)) log.warn({}, warning);

  /** This would wait while Postgres or Redis does not answer. */
  async function closeAll() {
    await Promise.all([keyUse.close(), keyUsage.close()]);
    await console.close();
    await resources.close();
  }

  return {
    resources,
    port,
    async stop() {
      await drain.close({
        drainMs: config.DRAIN_SECONDS * 1000,
        cutMs: config.STOP_SECONDS * 1000 - CLOSING_MS,
      });
      await within(CLOSING_MS / 2, closeAll());
    },
  };
}

/**
 * @param stopping aborted when the process is about to stop
 * @param watch hears of writes that share statements, and of streams
 */
export const runtimeOf = (
  { config, database, entities, ports, settings, log, cursorSecret }: Resources,
  stopping: AbortSignal = new AbortController().signal,
  watch?: { lanes: LaneWatch; streams: StreamWatch },
): Runtime => ({
  stopping,
  database,
  entities,
  ports,
  settings,
  log,
  cursorSecret,
  lanes: openLanes(database, watch?.lanes),
  memory: openAccessMemory(),
  lenient: config.LENIENT_INPUT,
  badCredentialsPerMinute: config.BAD_CREDENTIALS_PER_MINUTE,
  openStreams: new Map(),
  streamWatch: watch?.streams ?? (() => () => {}),
  now: () => new Date().toISOString(),
});
