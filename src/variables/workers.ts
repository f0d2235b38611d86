import { z } from "zod";
import { list, port } from "./types.ts";

/** The queues of workers, and how often workers look for lost work. */
export const workerVariables = {
  WORKER_QUEUES: list.default([]).describe("Queues this worker serves, comma-separated. Empty: all."),
  WORKER_PORT: port.optional().describe("Port on which a worker answers /healthz and /metrics. Unset: none."),
  SWEEP_SECONDS: z.coerce
    .number()
    .min(0.1)
    .default(10)
    .describe("Interval between searches for lost jobs, in seconds."),
  EVENT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .default(92)
    .describe("Days to keep events. Older monthly partitions are dropped."),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(31)
    .max(36_500)
    .default(365)
    .describe("Days to keep the audit log. Older monthly partitions are dropped."),
  AGENT_HEARTBEAT_HOURS: z.coerce
    .number()
    .min(0)
    .max(87_600)
    .default(24)
    .describe("Hours of silence after which a running session of an agent fails. 0: never."),
};
