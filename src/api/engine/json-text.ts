import { own } from "../../domain/kernel/own.ts";

/** A field whose JSON exists already, as bytes. Writing megabytes of JSON would block the event loop. */
export class JsonText {
  readonly bytes: Uint8Array;

  /** @param bytes a JSON string in UTF-8 */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The rows of a list whose JSON its handler writes. They have all fields of the view. */
export class JsonRows {
  /** Taken once: a row each, or the bytes of several with commas between them. */
  readonly texts: Iterable<string | Uint8Array>;

  constructor(texts: Iterable<string | Uint8Array>) {
    this.texts = texts;
  }
}

/** Whether a field of an answer is a JsonText. */
export function hasJsonText(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null) return false;
  // Every reply is asked this. Unlike Object.values, this allocates nothing.
  for (const name in answer) if (own(answer as Record<string, unknown>, name) instanceof JsonText) return true;
  return false;
}

/** The fields of an answer that are a JsonText. */
export const jsonTexts = (answer: unknown): Record<string, JsonText> =>
  Object.fromEntries(Object.entries(answer ?? {}).filter(([, value]) => value instanceof JsonText));
