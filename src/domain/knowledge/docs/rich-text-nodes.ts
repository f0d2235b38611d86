import { isExactNumber } from "../../kernel/exact-json.ts";
import { own } from "../../kernel/own.ts";

/** Nodes of a rich-text tree. Everything in them comes from a client and may be of any type. */

export type RichNode = { type?: unknown; text?: unknown; attrs?: unknown; marks?: unknown; content?: unknown };

/** A node's name in lower case and without underscores: bullet_list and bulletList are the same. */
export const nameOf = ({ type }: RichNode): string =>
  typeof type === "string" ? type.slice(0, 40).replaceAll("_", "").toLowerCase() : "";

export const childrenOf = (node: RichNode): RichNode[] => {
  const content = own(node, "content");
  if (!Array.isArray(content)) return [];
  return content.filter((child): child is RichNode => typeof child === "object" && child !== null);
};

/** A text, a number or a truth value; undefined for anything else. */
export function attribute(node: RichNode, name: string): unknown {
  const attrs = own(node, "attrs");
  const value = typeof attrs === "object" && attrs !== null ? own(attrs as Record<string, unknown>, name) : undefined;
  if (isExactNumber(value)) return Number(JSON.stringify(value));
  return typeof value === "object" ? undefined : value;
}

/** Length of the longest run of a character, for example of backticks in code. */
export function longestRun(text: string, mark: string): number {
  if (!text.includes(mark)) return 0;
  let [longest, run] = [0, 0];
  for (const one of text) {
    run = one === mark ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
