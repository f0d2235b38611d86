import { setTimeout as sleep } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { LaneWatch } from "../domain/kernel/lanes.ts";

/** Metrics in Prometheus format. Labels are operations and queues, never ids. */

/** Values that are read from Postgres and Redis at each scrape. */
export type Measures = {
  queueDepths(): Promise<Record<string, number>>;
  outboxLagSeconds(): Promise<number>;
};

export type WebMetrics = {
  registry: Registry;
  observe(done: { operation: string; method: string; status: number; ms: number }): void;
  lanes: LaneWatch;
  /** A stream has opened. Returns what ends it. */
  streams(operation: string): () => void;
};

export function openWebMetrics(measures: Measures): WebMetrics {
  const registry = processRegistry(measures);
  const requests = durations(registry, {
    name: "muster_request_duration_seconds",
    help: "Duration of HTTP requests by operation and status class.",
    labelNames: ["operation", "status"],
  });
  return {
    registry,
    observe: ({ operation, status, ms }) =>
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    lanes: watchLanes(registry),
    streams: watchStreams(registry),
  };
}

/** Streams of server-sent events: those of pages, of channels and of agents. */
function watchStreams(registry: Registry): (operation: string) => () => void {
  const open = new Gauge({
    name: "muster_open_streams",
    help: "Open streams of server-sent events by operation.",
    labelNames: ["operation"],
    registers: [registry],
  });
  return (operation) => {
    open.inc({ operation });
    return () => open.dec({ operation });
  };
}

/** Writes of calls that share statements. */
function watchLanes(registry: Registry): LaneWatch {
  const waiting = new Gauge({
    name: "muster_shared_writes_waiting",
    help: "Creates, changes and moves of issues that wait for the statement before theirs.",
    registers: [registry],
  });
  const writes = new Histogram({
    name: "muster_shared_writes",
    help: "Number of writes that share a statement.",
    buckets: [1, 2, 5, 10, 20, 50],
    registers: [registry],
  });
  const waits = durations(registry, {
    name: "muster_shared_write_wait_seconds",
    help: "How long a write waits until the statement that it shares begins.",
    labelNames: [],
  });
  return {
    queued() {
      waiting.inc();
      const since = performance.now();
      return () => {
        waiting.dec();
        waits.observe((performance.now() - since) / 1000);
      };
    },
    began: (count) => writes.observe(count),
  };
}

export type WorkerMetrics = {
  registry: Registry;
  job(done: { queue: string; outcome: "completed" | "failed"; ms: number }): void;
  results(queue: string, results: Record<string, number>): void;
  relayed(events: number, ms: number): void;
};

export function openWorkerMetrics(measures: Measures & { dueRows(): Promise<Record<string, number>> }): WorkerMetrics {
  const registry = processRegistry(measures);
  byQueue(registry, measures.dueRows, {
    name: "muster_rows_due",
    help: "Rows that are due and that no worker works on, by queue, counted up to 10,000; absent while Postgres is away.",
  });
  const jobs = durations(registry, {
    name: "muster_job_duration_seconds",
    help: "Duration of job attempts by queue and outcome.",
    labelNames: ["queue", "outcome"],
  });
  const results = new Counter({
    name: "muster_job_results_total",
    help: "What jobs did, by queue: deliveries and failures of webhooks, jobs that sweeps created again, rows cleaned up.",
    labelNames: ["queue", "result"],
    registers: [registry],
  });
  const relayed = new Counter({
    name: "muster_events_relayed_total",
    help: "Events handed to queues.",
    registers: [registry],
  });
  const passes = durations(registry, {
    name: "muster_relay_pass_seconds",
    help: "Duration of passes of the relay over a workspace with events.",
    labelNames: [],
  });
  return {
    registry,
    job: ({ queue, outcome, ms }) => jobs.observe({ queue, outcome }, ms / 1000),
    results(queue, numbers) {
      for (const [result, count] of Object.entries(numbers)) results.inc({ queue, result }, count);
    },
    relayed(events, ms) {
      relayed.inc(events);
      passes.observe(ms / 1000);
    },
  };
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const durations = <Label extends string>(
  registry: Registry,
  about: { name: string; help: string; labelNames: Label[] },
) => new Histogram({ ...about, buckets: SECONDS, registers: [registry] });

/** The metrics of every process: its own, and the backlogs. A value that cannot be read is left out. */
function processRegistry({ queueDepths, outboxLagSeconds }: Measures): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  byQueue(registry, queueDepths, {
    name: "muster_queue_depth",
    help: "Jobs waiting or delayed by queue; absent while Redis is away.",
  });
  const lag = soon(outboxLagSeconds);
  new Gauge({
    name: "muster_outbox_lag_seconds",
    help: "Age of the oldest event that no relay has taken; 0 when there is none, absent while Postgres is away.",
    registers: [registry],
    async collect() {
      const seconds = await lag();
      if (seconds === null) this.remove();
      else this.set(seconds);
    },
  });
  return registry;
}

function byQueue(
  registry: Registry,
  measure: () => Promise<Record<string, number>>,
  about: { name: string; help: string },
): void {
  const numbers = soon(measure);
  new Gauge({
    ...about,
    labelNames: ["queue"] as const,
    registers: [registry],
    async collect() {
      this.reset();
      for (const [queue, number] of Object.entries((await numbers()) ?? {})) this.set({ queue }, number);
    },
  });
}

const PATIENCE_MS = 2_000;

/** Null if a measurement fails or takes too long. Measurements never overlap. */
function soon<T>(measure: () => Promise<T>): () => Promise<T | null> {
  let underWay: Promise<T | null> | null = null;
  return () => {
    underWay ??= measure()
      .catch(() => null)
      .finally(() => {
        underWay = null;
      });
    return Promise.race([underWay, sleep(PATIENCE_MS, null, { ref: false })]);
  };
}
