/** Excerpts of Markdown, in a line of a list. */

/**
 * The text without the marks of Markdown: an excerpt may begin and end anywhere, so it is not parsed. It may be HTML, of
 * which nothing but text is changed.
 */
export const withoutMarks = (excerpt: string): string =>
  excerpt
    .replaceAll(/!?\[([^[\]]{1,300})\]\([^()\s]{1,500}\)/g, "$1")
    .replaceAll(/^[^[\]\s]{0,40}\]\([^()\s]{1,500}\)/g, "")
    .replaceAll(/(?:^|(?<=\s))(?:#{1,6}|&gt;|>|[-*+] \[[ xX]\]) /g, "")
    .replaceAll(/^[-*+] /g, "")
    .replaceAll(/\*\*|~~|`/g, "")
    .replaceAll(/(?<![\w*])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\w*])/g, "")
    .replaceAll(/[|:-]{4,}/g, " ");
