import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { addUp, percentile } from "../../kernel/latency-histogram.ts";
import { readUsage } from "./key-usage.sql.ts";
import type { KeyUsageQuery, KeyUsageView } from "./view.ts";

/** Days before `to` at which a window begins by default. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
const DAY_MS = 86_400_000;

type Days = Pick<KeyUsageQuery, "from" | "to">;
type Row = Awaited<ReturnType<typeof readUsage>>[number];
type Window = Pick<KeyUsageView, "from" | "to" | "clamped">;

/**
 * The calls with a key, by UTC day. Returns at most the 90 days that end with `to`.
 * @throws Refusal invalid_parameter if `from` is after `to` or after today
 */
export async function usageOf(ctx: InWorkspace, keyId: string, query: Days): Promise<KeyUsageView> {
  const window = windowOf(ctx.now.slice(0, 10), query);
  const rows = await readUsage(ctx, ctx.workspace.id, keyId, window);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const series = daysOf(window).map((date) => {
    const day = byDay.get(date) ?? { ...NOTHING, day: date };
    const [p50_ms, p99_ms] = [inMs(day.latencies, 0.5), inMs(day.latencies, 0.99)];
    return { date, ...countsOf(day), p50_ms, p99_ms };
  });
  return { key_id: keyId, ...window, granularity: "day", series, totals: countsOf(sumOf(rows)) };
}

const NOTHING = { requests: 0, client_errors: 0, server_errors: 0, rate_limited: 0, latencies: [] };

const countsOf = ({ requests, client_errors, server_errors, rate_limited, latencies }: Omit<Row, "day">) => ({
  requests,
  errors: client_errors + server_errors,
  client_errors,
  server_errors,
  rate_limited,
  p95_ms: inMs(latencies, 0.95),
});

/** Whole milliseconds, rounded up: 0 means that there were no calls. */
const inMs = (latencies: readonly number[], share: number) => Math.ceil(percentile(latencies, share));

function sumOf(rows: readonly Row[]): Omit<Row, "day"> {
  const sum = (name: "requests" | "client_errors" | "server_errors" | "rate_limited") =>
    rows.reduce((total, row) => total + row[name], 0);
  return {
    requests: sum("requests"),
    client_errors: sum("client_errors"),
    server_errors: sum("server_errors"),
    rate_limited: sum("rate_limited"),
    latencies: addUp(rows.map(({ latencies }) => latencies)),
  };
}

function windowOf(today: string, query: Days): Window {
  const to = query.to !== undefined && query.to < today ? query.to : today;
  const wanted = query.from ?? addDays(to, -DEFAULT_DAYS);
  if (query.to !== undefined && wanted > query.to) refuseFrom(`${wanted} is after \`to\`, ${query.to}`);
  if (wanted > today) refuseFrom(`${wanted} is after today, ${today} (UTC)`);
  const earliest = addDays(to, 1 - MAX_DAYS);
  const isTooEarly = wanted < earliest;
  return { from: isTooEarly ? earliest : wanted, to, clamped: isTooEarly || to !== (query.to ?? today) };
}

const refuseFrom = (why: string): never =>
  refuse("invalid_parameter", { message: `from: ${why}. Send an earlier day.`, parameter: "from" });

function daysOf({ from, to }: Window): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
