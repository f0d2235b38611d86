import { z } from "zod";

/** Work times as people write them. */

/** The forms that `readMinutes` knows, for hints and errors. */
export const TIME_FORMS = "such as 3 h 30 min, 1.5 h, 45 min or 2 d 4 h; a day has 8 hours";

/** Of a working day. */
const MINUTES_OF_DAY = 8 * 60;
const MAX_LENGTH = 40;

const TIME =
  /^(?<minus>-?)(?:(?<days>\d{1,6}(?:[.,]\d{1,2})?) ?d(?:ays?)?)? ?(?:(?<hours>\d{1,6}(?:[.,]\d{1,2})?) ?h(?:rs?|ours?)?|(?<clock>\d{1,6}):(?=\d))? ?(?:(?<minutes>\d{1,6}) ?(?:m|mins?|minutes?)?)?$/i;

/**
 * Reads `3 h 30 min`, `1.5h`, `1,5 h`, `2d 4h`, `45m`, `45` or `1:30` as minutes. A day is a working day of 8 hours. A minus
 * comes first. Null: the text has another form.
 */
export function readMinutes(text: string): number | null {
  const parts = TIME.exec(
    text
      .slice(0, MAX_LENGTH + 1)
      .trim()
      .replaceAll(/\s+/g, " "),
  );
  const { minus = "", days, hours, clock, minutes } = parts?.groups ?? {};
  if ([days, hours, clock, minutes].every((part) => part === undefined)) return null;
  const number = (part = "0") => Number(part.replace(",", "."));
  const sum = MINUTES_OF_DAY * number(days) + 60 * (number(hours) + number(clock)) + number(minutes);
  return (minus === "-" ? -1 : 1) * Math.round(sum);
}

/** Minutes in a body: a number, or a text that `readMinutes` knows, with the limits of the number. */
export const minutesOr = (number: z.ZodNumber) => z.union([number, written.pipe(number)]);

const written = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, ctx) => {
    const read = readMinutes(text);
    if (read !== null) return read;
    ctx.addIssue({
      code: "custom",
      message: `must be a number of minutes, or a time ${TIME_FORMS}`,
      params: { code: "pattern" },
    });
    return z.NEVER;
  })
  .meta({ description: `A time ${TIME_FORMS}.`, examples: ["1.5h"] });
