import { createServer, connect as dial, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openWebMetrics } from "../../src/adapters/metrics.ts";
import { countJobs } from "../../src/cli/count-jobs.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { startWeb } from "../../src/start-web.ts";
import { startWorker } from "../../src/start-worker.ts";
import { deliverWebhook } from "../../src/workers/delivery/deliver-webhook.ts";
import { sendEmail } from "../../src/workers/delivery/send-email.ts";
import { app } from "../support/app.ts";
import { emit } from "../support/webhooks.ts";
import { world } from "../support/world.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function scrape(baseUrl: string): Promise<string> {
  const { config } = await app();
  const authorization = `Basic ${Buffer.from(`operator:${config.OPERATOR_PASSWORD}`).toString("base64")}`;
  return (await fetch(`${baseUrl}/metrics`, { headers: { authorization } })).text();
}

test("web reports requests and backlogs", async () => {
  const here = await world();
  await here.owner.get("P/issues").expect(200);
  await emit(here, "issue.created");
  // A worker that relays nothing would be the fault to see; here there is none.
  await expect.poll(() => scrape(here.app.baseUrl)).toMatch(/^muster_outbox_lag_seconds 0\.\d*[1-9]/m);

  const worker = await startWorker({ ...here.app.config, WORKER_QUEUES: ["clean-up"] });
  cleanups.push(worker.stop);
  const payload = { workspace_id: here.workspace.id, webhook_id: here.workspace.id };
  await worker.producer.add(deliverWebhook, [
    { id: "one", payload },
    { id: "two", payload, delayMs: 60_000 },
  ]);
  const mail = { workspace_id: here.workspace.id, event_id: newId() };
  await worker.producer.add(sendEmail, [{ id: mail.event_id, payload: mail }]);
  const metrics = await scrape(here.app.baseUrl);
  expect(metrics).toMatch(/^muster_queue_depth\{queue="deliver-webhook"\} 2$/m);
  expect(metrics).toMatch(/^muster_queue_depth\{queue="send-email"\} 1$/m);
  const { "send-email": counts } = await countJobs(here.app.resources);
  expect(counts).toEqual({ waiting: 1, active: 0, delayed: 0, failed: 0 });
  expect(metrics).toMatch(/^muster_request_duration_seconds_count\{operation="issues.list",status="2xx"\} 1$/m);
});

test("web reports writes that share statements", async () => {
  const here = await world();
  const read = async () => {
    const metrics = await scrape(here.app.baseUrl);
    const value = (name: string) => Number(new RegExp(`^muster_shared_${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    return ["writes_waiting", "writes_sum", "writes_count", "write_wait_seconds_count"].map(value);
  };
  const [, writes, statements, waits] = (await read()) as [number, number, number, number];
  const titles = Array.from({ length: 20 }, (_, n) => `Issue ${n}`);
  await Promise.all(titles.map((title) => here.owner.post("P/issues", { title }).expect(201)));
  const [waiting, newWrites, newStatements, newWaits] = (await read()) as [number, number, number, number];
  expect([waiting, newWrites - writes, newWaits - waits]).toEqual([0, 20, 20]);
  expect(newStatements).toBeGreaterThan(statements);
});

test("a worker reports the passes of its relay", async () => {
  const here = await world();
  const worker = await startWorker({ ...here.app.config, WORKER_QUEUES: ["clean-up"], WORKER_PORT: 0 });
  cleanups.push(worker.stop);
  await here.owner.post("P/issues", { title: "One" }).expect(201);
  const scraped = () => scrape(`http://127.0.0.1:${worker.port}`);
  await expect.poll(scraped).toMatch(/^muster_relay_pass_seconds_count [1-9]\d*$/m);
  expect(await scraped()).toMatch(/^muster_events_relayed_total [1-9]\d*$/m);
});

test("a worker reports due rows that no worker works on", async () => {
  const here = await world();
  await here.sql(
    `insert into stored_object (key, workspace_id, remove_after)
     select 'due/' || n, $1, now() + n * interval '1 hour' from generate_series(-2, 1) n`,
    [here.workspace.id],
  );
  const worker = await startWorker({ ...here.app.config, WORKER_QUEUES: ["clean-up"], WORKER_PORT: 0 });
  cleanups.push(worker.stop, () => here.sql("delete from stored_object where workspace_id = $1", [here.workspace.id]));
  const metrics = await scrape(`http://127.0.0.1:${worker.port}`);
  expect(metrics).toMatch(/^muster_rows_due\{queue="collect-files"\} 3$/m);
  expect(metrics).toMatch(/^muster_rows_due\{queue="settle-payments"\} 0$/m);
  expect(metrics).toMatch(/^muster_rows_due\{queue="send-email"\} \d+$/m);
});

test("if Redis does not answer, its values are left out and nothing is delayed", async () => {
  const { config } = await app();
  const real = new URL(config.REDIS_URL);
  let frozen = false;
  const sockets = new Set<Socket>();
  const between = createServer((client) => {
    const server = dial(Number(real.port), real.hostname);
    for (const socket of [client, server]) sockets.add(socket.on("error", () => {}));
    client.on("data", (data) => frozen || server.write(data));
    server.on("data", (data) => frozen || client.write(data));
  });
  await new Promise<void>((listening) => between.listen(0, "127.0.0.1", listening));
  cleanups.push(
    () => between.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
  );
  const redis = new URL(config.REDIS_URL);
  redis.port = String((between.address() as { port: number }).port);

  const web = await startWeb({ ...config, REDIS_URL: redis.href, LOG_LEVEL: "silent" });
  cleanups.push(web.stop);
  const at = `http://127.0.0.1:${web.port}`;
  await expect.poll(() => scrape(at)).toMatch(/^muster_queue_depth\{/m);
  frozen = true;
  const started = performance.now();
  const metrics = await scrape(at);
  expect(performance.now() - started).toBeLessThan(2_500);
  expect(metrics).not.toMatch(/^muster_queue_depth\{/m);
  expect(metrics).toMatch(/^muster_outbox_lag_seconds \d/m);
});

test("a store that hangs is queried once, however often the metrics are read", async () => {
  let asked = 0;
  const { registry } = openWebMetrics({
    queueDepths: () => {
      asked++;
      return new Promise(() => {});
    },
    outboxLagSeconds: () => Promise.reject(new Error("Postgres is away")),
  });
  const [text] = await Promise.all([registry.metrics(), registry.metrics()]);
  await registry.metrics();
  expect(asked).toBe(1);
  expect(text).not.toMatch(/^muster_(queue_depth|outbox_lag_seconds)[{ ]/m);
});
