import { letOthersRun } from "../../domain/kernel/let-others-run.ts";

/** Long texts, made in parts: whoever joins them lets others run after each. */

/** Rows that are written at once, which takes some milliseconds. */
const PART = 1_000;

/** Slices of a list, each short enough to be written at once. */
export function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += PART) yield rows.slice(from, from + PART);
}

/** What JSON.stringify makes of a plain value, with each element of its lists a part. */
export function* jsonInParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let before = "[";
    for (const element of value) {
      yield before + JSON.stringify(element);
      before = ",";
    }
    yield before === "[" ? "[]" : "]";
  } else if (typeof value === "object" && value !== null) {
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

/** Longer parts than this are followed by a turn of the event loop. */
const LONG = 64 * 1024;

/** The parts as one; what is long comes as its bytes, since encoding it at the end would take long, too. */
export async function joinInParts(parts: Iterable<string>): Promise<string | Buffer> {
  const encoded: Buffer[] = [];
  let written = "";
  for (const part of parts) {
    written += part;
    if (written.length < LONG) continue;
    encoded.push(Buffer.from(written));
    written = "";
    await letOthersRun();
  }
  return encoded.length === 0 ? written : Buffer.concat([...encoded, Buffer.from(written)]);
}
