import { z } from "zod";
import { refuse } from "./errors.ts";
import { DAY_OR_INSTANT, dayInput, instant, isDay } from "./wire.ts";

/**
 * Dates that are a whole day or an instant. A day is stored as its midnight in UTC, as `due_at`, and beside it as the day
 * itself, as `due_on`, which is null for an instant. So nobody's time zone moves a day.
 */

/** The field that shows the day, by the field that shows the instant. */
const DAY_OF = {
  start_at: "start_on",
  due_at: "due_on",
  end_at: "end_on",
  target_at: "target_on",
  target_date: "target_on",
  cycle_start_at: "cycle_start_on",
  cycle_due_at: "cycle_due_on",
} as const;
type At = keyof typeof DAY_OF;

/** The fields that show days. */
export const DAY_FIELDS = [...new Set(Object.values(DAY_OF))];

/** An instant, or a day that stays one. */
export const dayOrInstant = z
  .string()
  .max(50)
  .transform((text, ctx) => {
    if (isDay(text)) return text;
    const read = instant.safeParse(text);
    if (read.success) return read.data;
    ctx.addIssue({ code: "invalid_format", format: "datetime", message: "Use YYYY-MM-DD or a date-time with offset." });
    return z.NEVER;
  })
  .meta(DAY_OR_INSTANT);

export const date = dayOrInstant.nullable().optional();
export const day = dayInput.nullable().optional();

export const midnight = (on: string): string => `${on}T00:00:00.000Z`;

type Values = Record<string, string | null | undefined>;

/**
 * Returns a body with each of its dates as an instant and as a day. A body may send either, or both as they were shown:
 * the one that differs from the present value counts. An instant that is the present one leaves a day as it is.
 * @param current the present values; null for a new object
 * @throws Refusal mutually_exclusive if both differ from the present values, and from each other
 */
export function withDays<Body extends object>(fields: readonly At[], body: Body, current: object | null): Body {
  const [sent, now] = [body, current ?? {}] as Values[];
  const dates = fields.flatMap((at) => {
    const on = DAY_OF[at];
    if (sent![at] === undefined && sent![on] === undefined) return [];
    const present = { at: now![at] ?? null, on: now![on] ?? null };
    return [dateOf(at, on, { at: sent![at], on: sent![on] }, present)];
  });
  return dates.length === 0 ? body : Object.assign({ ...body }, ...dates);
}

type Sent = { at: string | null | undefined; on: string | null | undefined };

/** A date as an object has it. */
export type WholeDate = { at: string | null; on: string | null };

function dateOf(at: string, on: string, sent: Sent, now: WholeDate): Values {
  const isDate = typeof sent.at === "string" && isDay(sent.at);
  const instant = isDate ? midnight(sent.at!) : sent.at;
  const atDiffers = isDate ? sent.at !== now.on : instant !== undefined && instant !== now.at;
  const onDiffers = sent.on !== undefined && sent.on !== now.on;
  if (onDiffers && sent.on) {
    if (atDiffers && instant !== midnight(sent.on)) {
      refuse("mutually_exclusive", {
        message: `Send either ${at} or ${on}, or the same day in both.`,
        fields: [at, on],
      });
    }
    return { [at]: midnight(sent.on), [on]: sent.on };
  }
  if (isDate) return { [at]: instant, [on]: sent.at };
  // Only the day is cleared: the instant that comes with it stays, as an instant.
  if (onDiffers) return { [at]: instant ?? null, [on]: null };
  return atDiffers ? { [at]: instant, [on]: null } : { [at]: now.at, [on]: now.on };
}

/** Whether a date ends before another one begins. A whole day lasts until its end. */
export function endsBefore(end: WholeDate, start: WholeDate): boolean {
  if (end.at === null || start.at === null) return false;
  if (end.on !== null && start.on === null) return end.on < start.at.slice(0, 10);
  return end.at < start.at;
}
