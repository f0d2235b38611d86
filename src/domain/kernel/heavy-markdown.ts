/** Which Markdown is rendered while other calls wait, and which is not. */

// Measured: within these limits no text blocks the process for more than about 30 ms.
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 1_000;
const MAX_MARKUP = 2_000;
const MAX_LINKS = 500;
const MAX_CELLS = 5_000;

/** Whether a text is too long, or has too much markup, to be rendered while other calls wait. */
export const isHeavy = (markdown: string): boolean => markdown.length > MAX_CHARACTERS || isDense(markdown);

function isDense(markdown: string): boolean {
  const lines = markdown.split("\n");
  if (lines.length > MAX_LINES || markdown.split(MARKUP).length > MAX_MARKUP) return true;
  if (markdown.split(LINK).length > MAX_LINKS) return true;
  // The renderer fills short rows up to the width of the table's head. The table's rule has as many cells as its head.
  const widths = lines.map((line) => (TABLE_RULE.test(line) ? line.split("|").length : 0));
  return Math.max(...widths) * lines.length > MAX_CELLS;
}

const MARKUP = /[![\]`|<>*_~&@:\\]/;
/** Where a link may begin. */
const LINK = /@|\/\//;
/** A line of dashes and pipes, possibly within a quote or a list. */
const TABLE_RULE = /^[\s\d>*+.):|-]+$/;
