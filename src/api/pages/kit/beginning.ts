/** Of a text among many others, a page shows the beginning. */

const MOST_CHARACTERS = 3_000;
const MOST_LINES = 60;

/** Nobody opens another page for the last few lines. */
const LITTLE_MORE = 1.2;

/** The beginning of a text of Markdown, up to the end of a line if there is one. Null if the text is short enough. */
export function beginningOf(markdown: string): string | null {
  const most = afterLines(markdown, MOST_LINES) ?? markdown.length;
  const isShort =
    markdown.length <= MOST_CHARACTERS * LITTLE_MORE && afterLines(markdown, MOST_LINES * LITTLE_MORE) === null;
  if (isShort) return null;
  if (most <= MOST_CHARACTERS) return markdown.slice(0, most);
  const line = markdown.lastIndexOf("\n", MOST_CHARACTERS);
  if (line > MOST_CHARACTERS / 2) return markdown.slice(0, line);
  const word = markdown.lastIndexOf(" ", MOST_CHARACTERS);
  const end = word > MOST_CHARACTERS / 2 ? word : MOST_CHARACTERS;
  // A character may be two units long, of which one would not be a character.
  return `${markdown.slice(0, end).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Where so many lines end. Null if there are no more. */
function afterLines(text: string, lines: number): number | null {
  let at = -1;
  for (let n = 0; n < lines; n++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return null;
  }
  return text.slice(at).trim() === "" ? null : at;
}
