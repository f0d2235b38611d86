import { z } from "zod";
import { part, SAMPLE } from "./described.ts";
import { readId } from "./ids.ts";
import { canBeSeen, flattened, hasHidden, withLineFeeds } from "./text.ts";

/** Building blocks of inputs and views: how ids, instants, texts and enums look on the wire. */

/** Other spellings of an enum's values. The engine converts them before validation. */
export const synonyms = z.registry<Record<string, string>>();

/**
 * An enum that is read in upper or lower case, with `-` or space for `_`, and with the given other spellings.
 * @param hint for errors: what to send if none of the values fits
 */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  others: Record<string, string> = {},
  hint?: string,
) {
  return z.enum(values, hint).register(synonyms, others);
}

/** A boolean in a query: `true` or `false` in any case, `1` or `0`. */
export const flag = choice(["true", "false"], { 1: "true", 0: "false" });

/** An id in a view. */
export const id = z.string().meta({ format: "uuid", examples: [SAMPLE.other] });

/** An instant in a view: RFC 3339, UTC, milliseconds. */
export const timestamp = z.string().meta({ format: "date-time", examples: ["2026-01-15T09:30:00.000Z"] });

/** A calendar day in a view. */
export const calendarDay = z.string().meta({ format: "date", examples: ["2026-01-15"] });

/** An id in a body, in any spelling of a UUID. Other texts pass, and the domain rejects them as invalid references. */
export const idInput = z
  .string()
  .max(100)
  .transform((text) => readId(text) ?? text)
  .meta({ examples: [SAMPLE.other] });

const referenceText = () => z.string().overwrite(flattened).trim().min(1).max(320);

/** A reference in a body by id, key, name or e-mail, in the form of names. */
export const reference = referenceText();

/** Texts that may be sent as numbers. The engine converts them before validation. */
export const numbersAsTexts = z.registry<Record<string, never>>();

/** A reference that may be sent as a number, because columns may be called `1`. */
export const referenceOrNumber = referenceText().register(numbersAsTexts, {});

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a calendar day, `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => DAY.test(text) && readInstant(text) !== null;
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)? ?([Zz]|[+-]\d{2}:?\d{2})$/;

/** Reads `YYYY-MM-DD` (midnight UTC) or a date-time with offset. Returns RFC 3339 in UTC with milliseconds, or null. */
export function readInstant(text: string): string | null {
  if (!DAY.test(text) && !INSTANT.test(text)) return null;
  const parsed = new Date(DAY.test(text) ? `${text}T00:00:00Z` : text.replace(" ", "T").replace(" ", ""));
  const year = parsed.getUTCFullYear();
  if (Number.isNaN(parsed.getTime()) || year < 1900 || year > 9999) return null;
  // Date converts 31 February to a day in March. A day that changes in this way does not exist.
  const day = text.slice(0, 10);
  const asWritten = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(asWritten.getTime()) || asWritten.toISOString().slice(0, 10) !== day) return null;
  return parsed.toISOString();
}

/**
 * Reads a day, or the day of a date-time with offset as it is written there: `2026-12-01T00:00:00+02:00` is 1 December.
 * Null if the text is neither.
 */
export const readDay = (text: string): string | null => (readInstant(text) === null ? null : text.slice(0, 10));

/** The JSON Schema of an input that takes a day or an instant. */
export const DAY_OR_INSTANT = {
  anyOf: [
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
  ],
} as const;

/** An instant in an input. A day is its midnight in UTC. */
export const instant = z
  .string()
  .max(50)
  .transform((text, ctx) => {
    const read = readInstant(text);
    if (read) return read;
    ctx.addIssue({ code: "invalid_format", format: "datetime", message: "Use YYYY-MM-DD or a date-time with offset." });
    return z.NEVER;
  })
  .meta(DAY_OR_INSTANT);

/** A calendar day in an input. */
export const dayInput = z
  .string()
  .max(10)
  .refine((text) => DAY.test(text) && readInstant(text) !== null, {
    message: "must be a day, as YYYY-MM-DD",
    params: { code: "pattern" },
  })
  .meta({ format: "date" });

/**
 * One line of text, such as a name or a title, in the form of `flattened`. It is trimmed, so that a blank one counts as empty. Control characters are rejected, because pages and mails show
 * names within sentences. Length in characters.
 */
export const line = (min: number, max: number) => {
  const text = z
    .string()
    .overwrite(flattened)
    .trim()
    .min(min)
    .max(max)
    .refine(isPlain, {
      message: "must have no control characters",
      params: { code: "pattern" },
    });
  if (min === 0) return text;
  return text.refine((value) => value === "" || canBeSeen(value), {
    message: "must have a visible character",
    params: { code: "too_short" },
  });
};

const isPlain = (text: string) => !hasHidden(text);

/** Text of many lines, stored as sent but for its line ends, which become LF. Length in characters. */
export const text = (min: number, max: number) => z.string().overwrite(withLineFeeds).min(min).max(max);

export const color = z
  .string()
  .max(7)
  .regex(/^#[0-9a-fA-F]{6}$/, "Use #RRGGBB.");

/** The reply of DELETE, for example of a "comment". */
export const deletedView = (what: string) =>
  part(
    {
      id: [`The ${what} that is gone. Further calls with this id are answered with 404.`, SAMPLE.other],
      deleted: ["Always `true`."],
    },
    { id, deleted: z.literal(true) },
  );

/**
 * Converts an instant that Postgres wrote as JSON, `2026-01-02T03:04:05.67+00:00`, to our form, `….670Z`. An instant in our
 * form stays as it is.
 */
export function instantOfJson(text: string): string {
  if (text.endsWith("Z")) return text;
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -6) : "";
  return `${text.slice(0, 19)}.${fraction.padEnd(3, "0")}Z`;
}
