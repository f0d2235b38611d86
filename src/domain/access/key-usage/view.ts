import { z } from "zod";
import { chartWidth } from "../../kernel/chart-width.ts";
import { inputPart, part, view } from "../../kernel/described.ts";
import { dayInput, id } from "../../kernel/wire.ts";
import { aboutKeyUsage, aboutKeyUsageDay, aboutKeyUsageQuery, aboutKeyUsageTotals } from "./descriptions.ts";

export const KeyUsageQuery = inputPart(aboutKeyUsageQuery, {
  from: dayInput.optional(),
  to: dayInput.optional(),
  width: chartWidth,
});
export type KeyUsageQuery = z.output<typeof KeyUsageQuery>;

const day = z.string().meta({ format: "date" });
const count = z.number().int().min(0);

const counts = {
  requests: count,
  errors: count,
  client_errors: count,
  server_errors: count,
  rate_limited: count,
  p95_ms: count,
};

export const KeyUsageView = view("KeyUsage", aboutKeyUsage, {
  key_id: id,
  from: day,
  to: day,
  granularity: z.enum(["day"]),
  clamped: z.boolean(),
  series: z.array(part(aboutKeyUsageDay, { date: day, ...counts, p50_ms: count, p99_ms: count })),
  totals: part(aboutKeyUsageTotals, counts),
});
export type KeyUsageView = z.output<typeof KeyUsageView>;
