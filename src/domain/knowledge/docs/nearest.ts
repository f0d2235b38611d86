import { letOthersRun } from "../../kernel/let-others-run.ts";
import { shorten } from "../../kernel/text.ts";
import { findAll } from "./find-all.ts";

/** The part of a doc that is most like a text which is not in it. Helps to correct the search text. */
export type Nearest = {
  /** As it is in the doc, at most 500 characters. */
  text: string;
  /** Number of its first line, from 1. */
  line: number;
  /** How it differs: in white space, in upper and lower case, in both, or in words. */
  differs_in: "white_space" | "case" | "case_and_white_space" | "words";
};

const MAX_SHOWN = 500;
/** Words of the search text that are compared. */
const MAX_WORDS = 1_000;

/**
 * Each step takes time in proportion to the length of the text, and other calls run between two steps.
 * @returns null if the texts have no word in common
 */
export async function nearestTo(text: string, find: string): Promise<Nearest | null> {
  const spaced = await sameButFor(text, find, { space: true, letters: false });
  if (spaced) return spaced;
  await letOthersRun();
  const lettered = await sameButFor(text, find, { space: false, letters: true });
  if (lettered) return lettered;
  await letOthersRun();
  const both = await sameButFor(text, find, { space: true, letters: true });
  if (both) return both;
  await letOthersRun();
  return mostWordsInCommon(text, find);
}

type Ignored = { space: boolean; letters: boolean };

/** The part that is equal to `find` except for white space or upper and lower case. */
async function sameButFor(text: string, find: string, ignored: Ignored): Promise<Nearest | null> {
  const wanted = plain(ignored.space ? find.trim() : find, ignored).text;
  if (wanted === "") return null;
  const { text: simple, places } = plain(text, ignored);
  await letOthersRun();
  const { positions } = await findAll(simple, wanted, 1);
  const [at] = positions;
  if (at === undefined) return null;
  const from = places ? places[at]! : at;
  const to = (places ? places[at + wanted.length - 1]! : at + wanted.length - 1) + 1;
  const differs_in = ignored.space ? (ignored.letters ? "case_and_white_space" : "white_space") : "case";
  return shown(text, from, text.slice(from, to), differs_in);
}

/** Lower case, unless that changes the length: then places would not match. */
const lowered = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
};

/** The text without what is ignored, and where each of its characters was; null if they are where they were. */
function plain(text: string, { space, letters }: Ignored): { text: string; places: Int32Array | null } {
  const cased = letters ? lowered(text) : text;
  if (!space) return { text: cased, places: null };
  const places = new Int32Array(cased.length);
  const codes = new Uint16Array(cased.length);
  let length = 0;
  let wasSpace = false;
  for (let at = 0; at < cased.length; at++) {
    const code = cased.charCodeAt(at);
    const isSpace = code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
    if (isSpace && wasSpace) continue;
    wasSpace = isSpace;
    codes[length] = isSpace ? 32 : code;
    places[length++] = at;
  }
  return { text: Buffer.from(codes.buffer, 0, length * 2).toString("utf16le"), places };
}

/** A longer line counts as several. */
const MAX_LINE = 1_000;
/** Other calls run after this many characters. */
const AT_ONCE = 65_536;

/** The lines that have the most words in common with `find`, of as many lines as that has. */
async function mostWordsInCommon(text: string, find: string): Promise<Nearest | null> {
  const wanted = new Set((find.slice(0, 16_384).toLowerCase().match(WORD) ?? []).slice(0, MAX_WORDS));
  if (wanted.size === 0) return null;
  const height = Math.min(find.split("\n", 50).length, 50);
  const window: { from: number; score: number }[] = [];
  let [sum, best, bestFrom, bestTo] = [0, 0, 0, 0];
  let turn = AT_ONCE;
  for (let from = 0; from < text.length; ) {
    if (from > turn) {
      await letOthersRun();
      turn = from + AT_ONCE;
    }
    const newline = text.indexOf("\n", from);
    const to = Math.min(newline === -1 ? text.length : newline, from + MAX_LINE);
    const score = wordsIn(text.slice(from, to), wanted);
    window.push({ from, score });
    sum += score - (window.length > height ? window.shift()!.score : 0);
    // It begins with a line that has something in common.
    if (sum > best) [best, bestFrom, bestTo] = [sum, window.find((line) => line.score > 0)!.from, to];
    from = to === newline ? to + 1 : to;
  }
  return best === 0 ? null : shown(text, bestFrom, text.slice(bestFrom, bestTo), "words");
}

const WORD = /[\p{L}\p{N}_]+/gu;

/** Number of different wanted words in a line. */
function wordsIn(line: string, wanted: ReadonlySet<string>): number {
  const words = line.toLowerCase().match(WORD);
  if (!words) return 0;
  const found = new Set<string>();
  for (const word of words) if (wanted.has(word)) found.add(word);
  return found.size;
}

function shown(text: string, from: number, part: string, differs_in: Nearest["differs_in"]): Nearest {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < from; at = text.indexOf("\n", at + 1)) line++;
  return { text: shorten(part, MAX_SHOWN), line, differs_in };
}
