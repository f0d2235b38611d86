import { crc32 } from "node:zlib";
import { z } from "zod";
import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";

/**
 * Reading on in an answer that was cut. `more` names the part and where to go on, so the same call with it finds the part
 * again, in any process. Nothing is kept between calls.
 */

/** A member's name, an element's index, or the id of an object in a list. */
export type Step = string | { id: string };

const Token = z.tuple([
  z.array(z.union([z.string(), z.strictObject({ id: z.string() })])).max(64),
  z.int().min(0),
  z.number(),
]);

/**
 * @param from a character of the text that is read on, or of the container's JSON
 * @param mark of that text or container
 */
export const moreToken = (path: readonly Step[], from: number, mark: number): string =>
  Buffer.from(JSON.stringify([path, from, mark])).toString("base64url");

/** Shows whether a value has changed since. For containers this is only their size. */
export const markOf = (value: unknown): number =>
  typeof value === "string" ? crc32(value) : Object.keys((value ?? {}) as object).length;

/** Bytes of a part's JSON, so that the result has twice this and some more. */
const PART = 17_000;

/** The part that `more` names. @throws Refusal invalid_cursor, cursor_mismatch */
export function partOf(answer: unknown, more: string): Record<string, unknown> {
  const [path, from, mark] = readToken(more);
  const value = path.reduce(step, answer);
  if (value === undefined || markOf(value) !== mark) {
    refuse("cursor_mismatch", {
      message: "The object has changed since. Repeat the call without more.",
      parameter: "more",
    });
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  let part = wellFormedStart(text.slice(from), PART);
  for (let bytes = sizeOf(part); bytes > PART; bytes = sizeOf(part)) {
    part = wellFormedStart(part, Math.floor((part.length * PART * 0.95) / bytes));
  }
  const to = from + part.length;
  return {
    data: { part, format: typeof value === "string" ? "text" : "json", from, to, of: text.length },
    ...(to < text.length ? { more: moreToken(path, to, mark) } : {}),
  };
}

const sizeOf = (text: string) => {
  const json = JSON.stringify(text);
  // In the text of the result, its quotes and backslashes are escaped once more.
  return (Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))) / 2;
};

function readToken(more: string): z.infer<typeof Token> {
  try {
    return Token.parse(JSON.parse(Buffer.from(more, "base64url").toString()));
  } catch {
    return refuse("invalid_cursor", { message: "more is invalid. Repeat the call without it.", parameter: "more" });
  }
}

function step(container: unknown, next: Step): unknown {
  if (typeof container !== "object" || container === null) return undefined;
  if (typeof next === "string") return own(container as Record<string, unknown>, next);
  if (!Array.isArray(container)) return undefined;
  return container.find((one) => typeof one === "object" && one !== null && (one as { id?: unknown }).id === next.id);
}

/** The start of a text, at least one character. Never ends within a surrogate pair. */
export function wellFormedStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.max(length, 2);
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;
