import type { Block } from "./blocks.ts";
import { breakLongWords } from "./break-words.ts";
import { LONGEST_WORD } from "./runs.ts";
import { type Script, scriptOf } from "./script.ts";
import { splitLine } from "./split-line.ts";

/** The blocks of a document, while they are collected. */
export type Layout = {
  /** Adds a block that costs this many units. A unit takes about 0.05 ms. */
  add(block: Block, units: number): void;
  /** Takes as many units as are left, at most `wanted`. Returns their number. */
  take(wanted: number): number;
  /** Whether no units are left. Then only `addRest` adds text. */
  isFull(): boolean;
  /**
   * Adds text without its structure. Its lines become one paragraph, because every line takes time, however short it is.
   */
  addRest(text: string): void;
  /** Returns the blocks. */
  finish(): Block[];
  startQuote(script: Script): void;
  endQuote(): void;
  /** Begins (1) or ends (-1) a list. */
  nest(by: 1 | -1): void;
  /** Lists around the present position, within its quote. */
  indent(): number;
};

/**
 * Enough for 10,000 list items or 5,000 headings with a paragraph each. A document of 500 KB that needs more consists of
 * lines of a few characters.
 */
const MAX_UNITS = 20_000;

/** Deeper lists and quotes look like these. Typst reads at most 128 levels of JSON. */
const MAX_INDENT = 12;
const MAX_QUOTES = 6;

/** Characters in a paragraph of `addRest`. */
const REST_SIZE = 5_000;
/** Shows where a line ended. */
const LINE_END = " \u00B6 ";
const LINE_ENDS = /\n+/g;
/** The layout of a paragraph of blanks takes minutes. */
const BLANKS = /[ \t]+/g;

export function openLayout(): Layout {
  const blocks: Block[] = [];
  const quotes = [{ blocks, lists: 0 }];
  let skippedQuotes = 0;
  let lists = 0;
  let left = MAX_UNITS;
  let rest = "";
  const quote = () => quotes.at(-1)!;
  const indent = () => Math.min(lists - quote().lists, MAX_INDENT);

  function add(block: Block, units: number) {
    left -= units;
    quote().blocks.push(block);
  }

  function flushRest() {
    for (const runs of rest === "" ? [] : splitLine([rest])) blocks.push(["p", 0, scriptOf(String(runs[0])), runs]);
    rest = "";
  }

  return {
    add,
    take(wanted) {
      const taken = Math.min(wanted, Math.max(0, left));
      left -= taken;
      return taken;
    },
    isFull: () => left <= 0,
    addRest(text) {
      const shown = breakLongWords(text.trim().replace(BLANKS, " "), LONGEST_WORD);
      const lines = shown.replace(LINE_ENDS, LINE_END);
      rest = rest === "" ? lines : rest + LINE_END + lines;
      if (rest.length >= REST_SIZE) flushRest();
    },
    finish() {
      flushRest();
      return blocks;
    },
    startQuote(script) {
      if (quotes.length > MAX_QUOTES) {
        skippedQuotes++;
        return;
      }
      const inside: Block[] = [];
      add(["quote", indent(), script, inside], 3);
      quotes.push({ blocks: inside, lists });
    },
    endQuote() {
      if (skippedQuotes > 0) skippedQuotes--;
      else quotes.pop();
    },
    nest(by) {
      lists += by;
    },
    indent,
  };
}
