/**
 * A stranger's text as markdown that shows just that text: nothing in it becomes a link, a picture, a mention of
 * somebody, the name of an issue, a heading or a list, and no address in it is made a link.
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
