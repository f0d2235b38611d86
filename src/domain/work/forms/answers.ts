import { counted } from "../../kernel/counted.ts";
import { readNewEmail, shownEmail } from "../../kernel/email.ts";
import { type FieldError, refuse } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import { closest, lengthOf, singleLine, withLineFeeds } from "../../kernel/text.ts";
import { readInstant } from "../../kernel/wire.ts";
import { type Answer, type Answers, type FormField, type FormFieldKind, hasOptions } from "./rows.ts";
import { SentFile } from "./sent-file.ts";
import { isVisible } from "./visibility.ts";

/** Checks answers. A page sends texts; a program may send values of the right type. */

/** Maximum length of a text whose field has no limit of its own. */
const MAX_CHARACTERS: Partial<Record<FormFieldKind, number>> = { short_text: 1_000, long_text: 20_000 };
export const maxCharacters = ({ kind, max_length }: Pick<FormField, "kind" | "max_length">): number =>
  max_length ?? MAX_CHARACTERS[kind] ?? 2_000;

/** Ratings go from 1 to 5 unless the field has other bounds. */
export const ratingBounds = ({ min_value, max_value }: Pick<FormField, "min_value" | "max_value">) => ({
  min: min_value ?? 1,
  max: max_value ?? 5,
});

/** Maximum length of all answers as JSON, because a page of 100 submissions contains them all. */
const MAX_ANSWERS = 131_072;

/** The reason why an answer is invalid. */
class InvalidAnswer extends Error {
  readonly code: string;
  readonly more: Record<string, unknown>;

  constructor(code: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}

/**
 * Returns the answers of the visible fields, in the order of the fields. Answers to other fields are ignored.
 * @throws Refusal validation_failed with each field's own error, at `/answers/{id}`
 */
export function checkAnswers(fields: FormField[], given: Record<string, unknown>): Answers {
  const answers: Answers = {};
  const errors: FieldError[] = [];
  for (const field of fields) {
    if (field.kind === "section" || !isVisible(field, answers)) continue;
    try {
      const answer = readAnswer(field, own(given, field.id));
      if (answer !== null) answers[field.id] = answer;
      else if (field.required) throw new InvalidAnswer("required", "is required");
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error;
      errors.push({ path: `/answers/${field.id}`, code: error.code, message: error.message, ...error.more });
    }
  }
  if (errors.length > 0) refuse("validation_failed", { message: "Some answers are invalid. See errors.", errors });
  if (lengthOf(JSON.stringify(answers)) > MAX_ANSWERS) {
    const message = `must have at most ${MAX_ANSWERS} characters together`;
    const error = { path: "/answers", code: "too_long", message, maximum: MAX_ANSWERS };
    refuse("validation_failed", { message: `The answers ${message}.`, errors: [error] });
  }
  return answers;
}

/** Returns the reason why a text is not a valid answer to a field; null if it is valid. */
export function problemOf(field: FormField, text: string): string | null {
  try {
    readAnswer(field, field.kind === "multi_select" ? [text] : text);
    return null;
  } catch (error) {
    if (error instanceof InvalidAnswer) return error.message;
    throw error;
  }
}

/** Returns the answer in the form in which it is stored; null for none. */
function readAnswer(field: FormField, given: unknown): Answer | null {
  if (given === undefined || given === null || given === "") return null;
  if (Array.isArray(given) && given.length === 0) return null;
  return KINDS[field.kind](field, given);
}

type Read = (field: FormField, given: unknown) => Answer | null;

const KINDS: Record<FormFieldKind, Read> = {
  short_text: (field, given) => singleLine(text(field, given).replace(/\s+/g, " ")) || null,
  long_text: (field, given) => withLineFeeds(text(field, given)).trim() || null,
  select: (field, given) => option(field, text(field, given)),
  radio: (field, given) => option(field, text(field, given)),
  multi_select(field, given) {
    const chosen = (Array.isArray(given) ? given : [given]).map((one) => option(field, text(field, one)));
    // In the order of the field's options, so that equal choices are stored as equal answers.
    return field.options.filter((one) => chosen.includes(one));
  },
  number: (field, given) => number(given, field.min_value, field.max_value),
  rating(field, given) {
    const { min, max } = ratingBounds(field);
    const value = number(given, min, max);
    return Number.isInteger(value) ? value : invalid("type", "must be a whole number");
  },
  date(field, given) {
    const day = text(field, given).trim();
    const read = /^\d{4}-\d{2}-\d{2}$/.test(day) ? readInstant(day) : null;
    return read?.slice(0, 10) ?? invalid("pattern", "must be a date, such as 2026-12-31");
  },
  email(field, given) {
    const address = readNewEmail(text(field, given));
    return address ? shownEmail(address) : invalid("pattern", "must be an e-mail address, such as name@example.com");
  },
  phone(field, given) {
    const phone = text(field, given).trim();
    const digits = phone.replace(/\D/g, "").length;
    return /^\+?[\d\s().\-/]+$/.test(phone) && digits >= 3 && digits <= 20
      ? phone
      : invalid("pattern", "must be a telephone number, such as +49 30 123456");
  },
  url(field, given) {
    const address = text(field, given).trim();
    return /^https?:\/\/[^\s]+$/i.test(address) && URL.canParse(address)
      ? address
      : invalid("pattern", "must be a web address, such as https://example.com");
  },
  checkbox(field, given) {
    const isOn = isChecked(given) ?? invalid("type", "must be true or false");
    // An unticked box that is required has no answer.
    return isOn || (field.required ? null : false);
  },
  section: () => null,
  file(_, file) {
    if (!(file instanceof SentFile)) return invalid("type", "must be an uploaded file");
    const { id, fileName, byteSize, maxBytes } = file;
    if (byteSize > maxBytes) {
      return invalid("too_large", `must have at most ${sizeOf(maxBytes)}`, { maximum: maxBytes });
    }
    if (byteSize === 0) return invalid("too_small", "is an empty file", { minimum: 1 });
    return { attachment_id: id, file_name: fileName, byte_size: byteSize };
  },
};

/** Returns whether a checkbox answer is checked; null if the answer is invalid. */
export function isChecked(said: unknown): boolean | null {
  const word = typeof said === "object" ? "" : String(said).trim().toLowerCase();
  if (["true", "on", "yes", "1"].includes(word)) return true;
  return ["false", "off", "no", "0"].includes(word) ? false : null;
}

const sizeOf = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${Math.floor(bytes / 1024)} KiB`;

function text(field: FormField, given: unknown): string {
  if (typeof given !== "string") return invalid("type", "must be a text");
  const max = hasOptions(field.kind) ? 2_000 : maxCharacters(field);
  // Browsers count a line break as one character.
  if (lengthOf(withLineFeeds(given)) > max) {
    return invalid("too_long", `must have at most ${counted(max, "character")}`, { maximum: max });
  }
  return given;
}

function option(field: FormField, value: string): string {
  if (field.options.includes(value)) return value;
  const meant = closest(value, field.options);
  return invalid("not_allowed", "must be one of the options", {
    allowed: field.options,
    ...(meant ? { did_you_mean: meant } : {}),
  });
}

/** Longer texts are not parsed as numbers. */
const MAX_NUMBER_LENGTH = 100;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function readNumber(text: string): number | null {
  if (text.length > MAX_NUMBER_LENGTH) return null;
  const number = text.trim();
  return NUMBER.test(number) ? Number(number) : null;
}

function number(given: unknown, min: number | null, max: number | null): number {
  const value = typeof given === "string" ? readNumber(given) : given;
  if (typeof value !== "number" || !Number.isFinite(value)) return invalid("type", "must be a number");
  if (min !== null && value < min) return invalid("too_small", `must be at least ${min}`, { minimum: min });
  if (max !== null && value > max) return invalid("too_large", `must be at most ${max}`, { maximum: max });
  // Postgres stores JSON without a negative zero.
  return value === 0 ? 0 : value;
}

function invalid(code: string, message: string, more?: Record<string, unknown>): never {
  throw new InvalidAnswer(code, message, more);
}
