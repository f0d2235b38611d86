import { createServer, type Server } from "node:http";
import { Redis } from "ioredis";
import { openWorkerMetrics, type WorkerMetrics } from "./adapters/metrics.ts";
import { admit } from "./api/http/operator.ts";
import { backlogOf } from "./backlog.ts";
import { type Config, Misconfigured } from "./config.ts";
import { checkAgain } from "./domain/delivery/webhooks/servings.ts";
import { backgroundOf } from "./domain/events/background.ts";
import { tellPages } from "./domain/events/live.ts";
import { newId } from "./domain/kernel/ids.ts";
import { COMMITTED } from "./domain/kernel/ports/ports.ts";
import { schedulesOf, startClock } from "./queues/clock.ts";
import { QUEUE_NAMES } from "./queues/index.ts";
import { openProducer, type Producer } from "./queues/producer.ts";
import { isUnavailable, openLifeline, openResources, operatorOf, type Resources } from "./resources.ts";
import { within } from "./within.ts";
import { deliverWebhook } from "./workers/delivery/deliver-webhook.ts";
import { startHeartbeat } from "./workers/delivery/heartbeat.ts";
import { startLeaseCheck } from "./workers/delivery/lease-check.ts";
import { startRelay } from "./workers/events/relay.ts";
import { queues, workers } from "./workers/index.ts";
import { countDue } from "./workers/rows.sql.ts";
import { startWorkers } from "./workers/run.ts";
import { throttled } from "./workers/throttle.ts";

/**
 * The part of the stop time that is reserved for closing. Each of the two ends below may take a quarter of it,
 * because a store may not answer at all.
 */
const CLOSING_MS = 2_000;

export type RunningWorker = { resources: Resources; producer: Producer; port: number | null; stop(): Promise<void> };

/** The worker process: relay, clock and the workers of all or some queues. Run as many as needed. */
export async function startWorker(config: Config): Promise<RunningWorker> {
  const unknown = config.WORKER_QUEUES.filter((name) => !QUEUE_NAMES.includes(name));
  if (unknown.length > 0) throw new Misconfigured([`WORKER_QUEUES: there is no queue ${unknown.join(", ")}`]);
  const served = workers.filter(({ queue }) => serves(config, queue.name));
  const resources = openResources(config, "worker");
  const { log, database } = resources;
  const onError = throttled((error: Error) => log.warn({ err: error }, "a queue is not reachable"));

  // One connection for all queue commands. Each worker has another one for blocking reads.
  const connection = new Redis(resources.queueRedis).on("error", onError);
  const prefix = config.REDIS_PREFIX;
  const producer = openProducer(QUEUE_NAMES, { connection, prefix, onError });
  const metrics = openWorkerMetrics({ ...backlogOf(resources), dueRows: () => countDue(database, queues) });

  const processId = newId();
  const heartbeat = startHeartbeat({ database: openLifeline(config, log), processId, log });
  const leaseCheck = startLeaseCheck({ database, processId, log });
  const running = startWorkers(served, {
    connection,
    prefix,
    producer,
    queues,
    processId,
    livedSince: heartbeat.livedSince,
    context: () => backgroundOf(resources, new Date().toISOString()),
    concurrency: { [deliverWebhook.name]: config.WEBHOOK_CONCURRENCY },
    isUnavailable,
    log,
    onJob: metrics.job,
    onResults: metrics.results,
    onError,
  });
  const schedules = schedulesOf(
    served.map(({ queue }) => queue),
    { sweepSeconds: config.SWEEP_SECONDS },
  );
  const clock = startClock({ producer, schedules, onError });
  const onCommitted = (wake: (workspaceId: string) => void) => resources.ports.subscribe(COMMITTED, wake);
  const relay = startRelay({
    ...{ queues, database, producer, log, isUnavailable, onCommitted },
    isServed: (webhookId) => checkAgain(processId, webhookId),
    onTaken: (workspaceId, oldest) => tellPages(resources.ports, workspaceId, oldest),
    onRelayed: metrics.relayed,
  });
  const server = config.WORKER_PORT === undefined ? null : await serve(resources, metrics);
  if (!config.SMTP_URL) log.warn({}, "mail waits and is not sent: SMTP_URL is not set");
  log.info({ queues: served.map(({ queue }) => queue.name) }, `serving ${served.length} queues`);

  return {
    resources,
    producer,
    port: portOf(server),
    async stop() {
      server?.close();
      // These would wait while Redis is unavailable.
      const patience = config.STOP_SECONDS * 1000 - CLOSING_MS;
      await within(
        patience,
        Promise.all([relay.stop(), clock.stop(), leaseCheck.stop(), running.stop(patience - 500)]),
      );
      await within(CLOSING_MS / 4, Promise.all([producer.close(), heartbeat.stop()]));
      connection.disconnect();
      // Sockets to unresponsive receivers would delay the stop.
      await within(CLOSING_MS / 4, resources.close());
    },
  };
}

const serves = ({ WORKER_QUEUES }: Config, queue: string) =>
  WORKER_QUEUES.length === 0 || WORKER_QUEUES.includes(queue);

/** Health and metrics, for platforms that probe workers. */
async function serve(resources: Resources, { registry }: WorkerMetrics): Promise<Server> {
  const { config } = resources;
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    if (path === "/healthz") return response.setHeader("content-type", "application/json").end('{"status":"ok"}');
    if (path !== "/metrics") return response.writeHead(404).end();
    const { authorization = "", host = "" } = request.headers;
    const address = request.socket.remoteAddress ?? "";
    const { status, headers } = await admit({ authorization, host, address }, operatorOf(resources));
    if (status !== 200) return response.writeHead(status, headers).end();
    const text = await registry.metrics().catch(() => null);
    if (text === null) return response.writeHead(503).end();
    return response.setHeader("content-type", registry.contentType).end(text);
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(config.WORKER_PORT, config.HOST, listening);
  });
  return server;
}

function portOf(server: Server | null): number | null {
  const address = server?.address();
  return typeof address === "object" && address ? address.port : null;
}
