/**
 * Escapes a stranger's text, so that Markdown renders exactly this text: no links, images, mentions, issue references,
 * headings or lists, and no automatic links.
 */
export function plainMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>#|~&@!^$]/g, "\\$&")
    .replace(/[.:](?=\S)/g, "\\$&")
    .replace(/\/(?=\/)/g, "\\/")
    .replace(/^[ \t]+/gm, "")
    .replace(/^([-+=])/gm, "\\$1")
    .replace(/^(\d{1,9})([.)])/gm, "$1\\$2");
}
