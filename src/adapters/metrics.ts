import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Metrics in Prometheus's form. Labels are operations and queues, never ids. */

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type WebMetrics = {
  registry: Registry;
  observe(done: { operation: string; method: string; status: number; ms: number }): void;
};

export function openWebMetrics(): WebMetrics {
  const registry = processRegistry();
  const requests = new Histogram({
    name: "muster_request_duration_seconds",
    help: "Duration of HTTP requests by operation and status class.",
    labelNames: ["operation", "status"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    registry,
    observe: ({ operation, status, ms }) =>
      requests.observe({ operation, status: `${Math.floor(status / 100)}xx` }, ms / 1000),
  };
}

export type WorkerMetrics = {
  registry: Registry;
  job(done: { queue: string; outcome: "completed" | "failed"; ms: number }): void;
  relayed(events: number): void;
};

/** `measure` is asked at each scrape for what only the stores know. */
export function openWorkerMetrics(
  measure: () => Promise<{ queues: Record<string, number>; outboxLagSeconds: number }>,
): WorkerMetrics {
  const registry = processRegistry();
  const jobs = new Histogram({
    name: "muster_job_duration_seconds",
    help: "Duration of job attempts by queue and outcome.",
    labelNames: ["queue", "outcome"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const relayed = new Counter({
    name: "muster_events_relayed_total",
    help: "Events handed to queues.",
    registers: [registry],
  });
  new Gauge({
    name: "muster_queue_depth",
    help: "Jobs waiting or delayed by queue.",
    labelNames: ["queue"] as const,
    registers: [registry],
    async collect() {
      const { queues } = await measure();
      for (const [queue, jobs] of Object.entries(queues)) this.set({ queue }, jobs);
    },
  });
  new Gauge({
    name: "muster_outbox_lag_seconds",
    help: "Age of the oldest event that no relay has taken; 0 when there is none.",
    registers: [registry],
    async collect() {
      const { outboxLagSeconds } = await measure();
      this.set(outboxLagSeconds);
    },
  });
  return {
    registry,
    job: ({ queue, outcome, ms }) => jobs.observe({ queue, outcome }, ms / 1000),
    relayed: (events) => relayed.inc(events),
  };
}

function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
