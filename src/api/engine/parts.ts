import { isExactNumber } from "../../domain/kernel/exact-json.ts";
import { letOthersRun } from "../../domain/kernel/let-others-run.ts";
import { JsonRows, JsonText } from "./json-text.ts";

/** Builds long texts in parts. The caller yields to other work after each part. */

/** Rows per part. A part takes a few milliseconds. */
const PART = 1_000;

/** Splits a list into parts. */
export function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += PART) yield rows.slice(from, from + PART);
}

/** The JSON of a plain value, in parts. Each element of a list is a part. */
export function* jsonInParts(value: unknown): Generator<string | Uint8Array> {
  if (value instanceof JsonText) yield value.bytes;
  else if (value instanceof JsonRows) yield* rows(value.texts);
  else if (Array.isArray(value)) yield* list(value, JSON.stringify);
  else if (typeof value === "object" && value !== null && !isExactNumber(value)) {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonInParts(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else yield JSON.stringify(value);
}

function* rows(texts: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let before = "[";
  for (const text of texts) {
    if (typeof text === "string") yield before + text;
    else {
      yield before;
      yield text;
    }
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

function* list<Element>(elements: readonly Element[], write: (element: Element) => string): Generator<string> {
  let before = "[";
  for (const element of elements) {
    yield before + write(element);
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}

/** The event loop gets a turn after this many characters. */
const LONG = 256 * 1024;

/** Shorter texts are sent as they are, together with the head of their reply. */
const SHORT = 8 * 1024;

/** Joins the parts of a reply. A long one is bytes, because Node would make room for three bytes a character to send it. */
export async function bytesInParts(parts: Iterable<string | Uint8Array>): Promise<string | Buffer> {
  const joined = await joinInParts(parts);
  return typeof joined === "string" && joined.length > SHORT ? Buffer.from(joined) : joined;
}

/** Joins the parts. A long text is returned as bytes, because encoding it in one step would block the event loop. */
export async function joinInParts(parts: Iterable<string | Uint8Array>): Promise<string | Buffer> {
  const encoded: Uint8Array[] = [];
  let written = "";
  for (const part of parts) {
    if (typeof part !== "string") {
      encoded.push(Buffer.from(written), part);
      written = "";
      if (part.length >= LONG) await letOthersRun();
      continue;
    }
    written += part;
    if (written.length < LONG) continue;
    encoded.push(Buffer.from(written));
    written = "";
    await letOthersRun();
  }
  return encoded.length === 0 ? written : Buffer.concat([...encoded, Buffer.from(written)]);
}
