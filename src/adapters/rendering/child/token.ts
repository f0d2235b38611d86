import type MarkdownIt from "markdown-it";

export type Markdown = InstanceType<typeof MarkdownIt>;
export type Token = ReturnType<Markdown["parse"]>[number];

/** Returns an attribute as text; empty if the token does not have it. */
export const attributeOf = (token: Token, name: string): string => String(token.attrGet(name) ?? "");

/** Returns the text of an inline token without its markup. */
export const textOf = (inline: Token | undefined): string =>
  (inline?.children ?? []).map(({ type, content }) => (BREAKS.has(type) ? " " : content)).join("");

const BREAKS = new Set(["softbreak", "hardbreak"]);
