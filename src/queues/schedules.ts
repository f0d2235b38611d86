import { cleanUp, collectFiles, settlePayments, sweep } from "./index.ts";
import type { QueueDefinition } from "./queue.ts";

/** What the clock starts. `every` in milliseconds; `pattern` is a cron line in UTC. */
export type Schedule = { queue: QueueDefinition; repeat: { every: number } | { pattern: string; tz: "UTC" } };

export const schedulesOf = (settings: { sweepSeconds: number }): Schedule[] => [
  { queue: sweep, repeat: { every: Math.round(settings.sweepSeconds * 1000) } },
  // Buyers wait for it.
  { queue: settlePayments, repeat: { every: Math.round(Math.min(settings.sweepSeconds, 2) * 1000) } },
  { queue: collectFiles, repeat: { every: Math.round(settings.sweepSeconds * 6_000) } },
  { queue: cleanUp, repeat: { pattern: "17 * * * *", tz: "UTC" } },
];
