import { BREAK } from "./break-words.ts";
import type { Run } from "./runs.ts";

/** The time for the layout of a paragraph grows with the square of these. */
const MAX_RUNS = 400;
const MAX_CHARACTERS = 8_000;

/** Splits a line that is longer than a page. Most lines are one part. */
export function splitLine(runs: readonly Run[]): Run[][] {
  const parts: Run[][] = [];
  let part: Run[] = [];
  let size = 0;
  for (const run of runs.flatMap(splitText)) {
    const length = typeof run === "string" ? run.length : run[0].length;
    if (part.length >= MAX_RUNS || (part.length > 0 && size + length > MAX_CHARACTERS)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(run);
    size += length;
  }
  parts.push(part);
  return parts;
}

function splitText(run: Run): Run[] {
  const [text, ...rest] = typeof run === "string" ? [run] : run;
  if (text.length <= MAX_CHARACTERS) return [run];
  const parts: Run[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + MAX_CHARACTERS >= text.length ? text.length : breakBefore(text, from + MAX_CHARACTERS);
    const part = text.slice(from, end);
    parts.push(typeof run === "string" ? part : [part, ...(rest as [number, string | null, null])]);
    from = end;
  }
  return parts;
}

/** Returns the last position before another one where a line may break: after a space, if there is one nearby. */
function breakBefore(text: string, position: number): number {
  for (let at = position; at > position - 1_000; at--) if (BREAKS.has(text[at - 1]!)) return at;
  const isInside = text.codePointAt(position - 1)! > 0xffff;
  return isInside ? position - 1 : position;
}

const BREAKS = new Set([" ", "\u200B", BREAK, "\n", "\u3002"]);
