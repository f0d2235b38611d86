import { aboutChartWidth } from "../../kernel/chart-width.ts";
import { countOf, SAMPLE } from "../../kernel/described.ts";

/** Descriptions of the usage of keys, for the API description. */

export const aboutKeyUsageQuery = {
  from: [
    "First day (UTC), as `YYYY-MM-DD`. Default: 30 days before `to`. If more than 90 days are requested, the last 90 of them are returned.",
    "2026-01-01",
  ],
  to: ["Last day (UTC), as `YYYY-MM-DD`. Default, and at the latest: today.", "2026-01-31"],
  width: aboutChartWidth,
} as const;

const latency = (share: string, of: string) =>
  [
    `The latency that ${share} of ${of} did not exceed, in whole milliseconds, to within 5 %. 0 without calls.`,
    13,
  ] as const;

const countsOf = (of: string) =>
  ({
    requests: countOf(`Number of ${of}.`, 1280),
    errors: countOf("How many of them got a status of 400 or above.", 12),
    client_errors: countOf("How many got a status of 400 to 499.", 11),
    server_errors: countOf("How many got a status of 500 or above.", 1),
    rate_limited: countOf("How many got 429. They are client errors, too.", 4),
    p95_ms: latency("95 %", of),
  }) as const;

export const aboutKeyUsage = {
  key_id: ["The key whose requests are counted.", SAMPLE.key],
  from: ["First day of `series`.", "2026-01-01"],
  to: ["Last day of `series`.", "2026-01-31"],
  granularity: ["What an entry of `series` is about. Always `day`."],
  clamped: ["Whether `from` or `to` was moved, because days to come or more than 90 days were requested."],
  series: [
    "One entry for each day, oldest first; days without calls have zeros. A call is counted when it has been answered, and shows up within a minute. Streams count when they start.",
  ],
  totals: ["Sums over all days. The latency is that of all calls, not an average of the days."],
} as const;

export const aboutKeyUsageTotals = countsOf("the calls with this key");

export const aboutKeyUsageDay = {
  ...countsOf("the day's calls"),
  date: ["The day (UTC), as `YYYY-MM-DD`.", "2026-01-15"],
  p50_ms: latency("50 %", "the day's calls"),
  p99_ms: latency("99 %", "the day's calls"),
} as const;
