import { z } from "zod";
import { minutes, percent, points } from "../issues/inputs.ts";
import { line, readInstant } from "../wire.ts";

const day = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d{2}-\d{2}$/, "Use YYYY-MM-DD.")
  .refine((text) => readInstant(text) !== null, { message: "is no day", params: { code: "pattern" } })
  .meta({ description: "YYYY-MM-DD" });

const Log = z.strictObject({
  minutes: z
    .number()
    .int()
    .min(-1_440)
    .max(1_440)
    .refine((value) => value !== 0, { message: "must not be 0", params: { code: "not_allowed" } })
    .describe("Negative: takes back what was logged"),
  note: line(0, 500).nullable().optional(),
  spent_on: day.optional().describe("Today (UTC) unless said otherwise"),
});
export type Log = z.output<typeof Log>;

export const TimePatchInput = z
  .strictObject({
    estimate_minutes: minutes.nullable().optional(),
    story_points: points.nullable().optional(),
    spent_minutes: minutes.nullable().optional().describe("The whole of it; not with log"),
    completion_pct: percent.nullable().optional(),
    remaining_minutes: minutes.nullable().optional().describe("null: what is left of the estimate"),
    log: Log.optional().describe("Adds an entry; not with spent_minutes"),
  })
  .meta({ id: "TimePatchInput" });
export type TimePatchInput = z.output<typeof TimePatchInput>;
