import { type FieldError, refuse } from "../../kernel/errors.ts";
import { own } from "../../kernel/own.ts";
import { closest, isEmail, singleLine } from "../../kernel/text.ts";
import { readInstant } from "../../kernel/wire.ts";
import { type Answer, type Answers, type FormField, type FormFieldKind, hasOptions } from "./rows.ts";
import { SentFile } from "./sent-file.ts";
import { isVisible } from "./visibility.ts";

/** What may be answered. A page sends texts, a program may send the values themselves. */

/** Length of a text that has no limit of its own. */
const MAX_CHARACTERS: Partial<Record<FormFieldKind, number>> = { short_text: 1_000, long_text: 20_000 };
export const maxCharacters = ({ kind, max_length }: Pick<FormField, "kind" | "max_length">): number =>
  max_length ?? MAX_CHARACTERS[kind] ?? 2_000;

/** Ratings begin at one, and end at five unless the field says otherwise. */
export const ratingBounds = ({ min_value, max_value }: Pick<FormField, "min_value" | "max_value">) => ({
  least: min_value ?? 1,
  most: max_value ?? 5,
});

/** Characters of all answers as JSON: a page of a hundred submissions carries them whole. */
const MAX_ANSWERS = 131_072;

/** What makes an answer unfit. */
class Unfit extends Error {
  readonly code: string;
  readonly more: Record<string, unknown>;

  constructor(code: string, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.more = more;
  }
}

/**
 * The answers of the fields that are visible with them, in order of the fields. What is answered of others is left out.
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
      else if (field.required) throw new Unfit("required", "is required");
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      errors.push({ path: `/answers/${field.id}`, code: error.code, message: error.message, ...error.more });
    }
  }
  if (errors.length > 0) refuse("validation_failed", { message: "Some answers are not valid; see errors.", errors });
  if (JSON.stringify(answers).length > MAX_ANSWERS) {
    const message = `must have at most ${MAX_ANSWERS} characters together`;
    const error = { path: "/answers", code: "too_long", message, maximum: MAX_ANSWERS };
    refuse("validation_failed", { message: `The answers ${message}.`, errors: [error] });
  }
  return answers;
}

/** Why a text cannot be a field's answer; null when it can. */
export function problemOf(field: FormField, text: string): string | null {
  try {
    readAnswer(field, field.kind === "multi_select" ? [text] : text);
    return null;
  } catch (error) {
    if (error instanceof Unfit) return error.message;
    throw error;
  }
}

/** The answer as it is stored; null for none. */
function readAnswer(field: FormField, given: unknown): Answer | null {
  if (given === undefined || given === null || given === "") return null;
  if (Array.isArray(given) && given.length === 0) return null;
  return KINDS[field.kind](field, given);
}

type Read = (field: FormField, given: unknown) => Answer | null;

const KINDS: Record<FormFieldKind, Read> = {
  short_text: (field, given) => singleLine(text(field, given).replace(/\s+/g, " ")) || null,
  long_text: (field, given) => text(field, given).replaceAll("\r\n", "\n").trim() || null,
  select: (field, given) => option(field, text(field, given)),
  radio: (field, given) => option(field, text(field, given)),
  multi_select(field, given) {
    const chosen = (Array.isArray(given) ? given : [given]).map((one) => option(field, text(field, one)));
    // In the field's own order, so that the same choice is always the same answer.
    return field.options.filter((one) => chosen.includes(one));
  },
  number: (field, given) => number(given, field.min_value, field.max_value),
  rating(field, given) {
    const { least, most } = ratingBounds(field);
    const value = number(given, least, most);
    return Number.isInteger(value) ? value : unfit("type", "must be a whole number");
  },
  date(field, given) {
    const day = text(field, given).trim();
    const read = /^\d{4}-\d{2}-\d{2}$/.test(day) ? readInstant(day) : null;
    return read?.slice(0, 10) ?? unfit("pattern", "must be a date, as 2026-12-31");
  },
  email(field, given) {
    const address = text(field, given).trim();
    return isEmail(address) ? address : unfit("pattern", "must be an e-mail address, as name@example.com");
  },
  phone(field, given) {
    const phone = text(field, given).trim();
    const digits = phone.replace(/\D/g, "").length;
    return /^\+?[\d\s().\-/]+$/.test(phone) && digits >= 3 && digits <= 20
      ? phone
      : unfit("pattern", "must be a telephone number, as +49 30 123456");
  },
  url(field, given) {
    const address = text(field, given).trim();
    return /^https?:\/\/[^\s]+$/i.test(address) && URL.canParse(address)
      ? address
      : unfit("pattern", "must be a web address, as https://example.com");
  },
  checkbox(field, given) {
    const isOn = isTicked(given) ?? unfit("type", "must be true or false");
    // An unticked box that has to be ticked is none.
    return isOn || (field.required ? null : false);
  },
  section: () => null,
  file(_, file) {
    if (!(file instanceof SentFile)) return unfit("type", "must be a file that is sent along");
    const { id, fileName, byteSize, most } = file;
    if (byteSize > most) return unfit("too_large", `must have at most ${sizeOf(most)}`, { maximum: most });
    if (byteSize === 0) return unfit("too_small", "is an empty file", { minimum: 1 });
    return { attachment_id: id, file_name: fileName, byte_size: byteSize };
  },
};

/** What is said of a box: that it is ticked, that it is not; null for neither. */
export function isTicked(said: unknown): boolean | null {
  const word = typeof said === "object" ? "" : String(said).trim().toLowerCase();
  if (["true", "on", "yes", "1"].includes(word)) return true;
  return ["false", "off", "no", "0"].includes(word) ? false : null;
}

const sizeOf = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${Math.floor(bytes / 1024)} KiB`;

function text(field: FormField, given: unknown): string {
  if (typeof given !== "string") return unfit("type", "must be a text");
  const most = hasOptions(field.kind) ? 2_000 : maxCharacters(field);
  // A page counts a line's end as one character.
  if (given.replaceAll("\r\n", "\n").length > most) {
    return unfit("too_long", `must have at most ${most} characters`, { maximum: most });
  }
  return given;
}

function option(field: FormField, value: string): string {
  if (field.options.includes(value)) return value;
  const meant = closest(value, field.options);
  return unfit("not_allowed", "must be one of the options", {
    allowed: field.options,
    ...(meant ? { did_you_mean: meant } : {}),
  });
}

/** Longer texts are no numbers that anybody types. */
const MAX_NUMBER_LENGTH = 100;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function readNumber(text: string): number | null {
  if (text.length > MAX_NUMBER_LENGTH) return null;
  const number = text.trim();
  return NUMBER.test(number) ? Number(number) : null;
}

function number(given: unknown, least: number | null, most: number | null): number {
  const value = typeof given === "string" ? readNumber(given) : given;
  if (typeof value !== "number" || !Number.isFinite(value)) return unfit("type", "must be a number");
  if (least !== null && value < least) return unfit("too_small", `must be at least ${least}`, { minimum: least });
  if (most !== null && value > most) return unfit("too_large", `must be at most ${most}`, { maximum: most });
  // There is no negative zero in JSON as Postgres stores it.
  return value === 0 ? 0 : value;
}

function unfit(code: string, message: string, more?: Record<string, unknown>): never {
  throw new Unfit(code, message, more);
}
