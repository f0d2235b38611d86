import { letOthersRun } from "../../domain/turns.ts";

/** Long texts, made in parts: whoever joins them lets others run after each. */

/** Rows that are written at once, which takes some milliseconds. */
const PART = 1_000;

/** Slices of a list, each short enough to be written at once. */
export function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += PART) yield rows.slice(from, from + PART);
}

/** What JSON.stringify makes of a plain value, with long arrays in several parts. */
export function* jsonInParts(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > PART) {
    let before = "[";
    for (const slice of slices(value)) {
      yield before + JSON.stringify(slice).slice(1, -1);
      before = ",";
    }
    yield "]";
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
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

export async function joinInParts(parts: Iterable<string>): Promise<string> {
  const written: string[] = [];
  let length = 0;
  for (const part of parts) {
    written.push(part);
    length += part.length;
    if (length < LONG) continue;
    length = 0;
    await letOthersRun();
  }
  return written.join("");
}
