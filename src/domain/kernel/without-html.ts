import { COMMENT, endOfComment, FOLDS, isElement } from "./markdown-elements.ts";

/** What excerpts leave out, and backticks, between which nothing is. */
const MARKS = /`+|<!--|<\/?([a-z]{1,8})(?=[\s/>])[^<>]{0,200}>/gi;

/** Characters of a code span in an excerpt. */
const MAX_CODE = 4_096;

/**
 * A Markdown text without its comments and tags, for excerpts. Code stays as it is. A comment without an end hides the rest,
 * because the text may be cut.
 */
export function withoutHtml(markdown: string): string {
  if (!markdown.includes("<")) return markdown;
  MARKS.lastIndex = 0;
  let text = "";
  let done = 0;
  for (let mark = MARKS.exec(markdown); mark; mark = MARKS.exec(markdown)) {
    const [found, name] = mark;
    if (found.startsWith("`")) {
      MARKS.lastIndex = endOfCode(markdown, MARKS.lastIndex, found);
      continue;
    }
    if (name !== undefined && !isElement(name)) {
      MARKS.lastIndex = mark.index + 1;
      continue;
    }
    text += markdown.slice(done, mark.index);
    done = MARKS.lastIndex;
    if (found === COMMENT) {
      const end = endOfComment(markdown, mark.index);
      done = end === -1 ? markdown.length : end;
      MARKS.lastIndex = done;
    } else if (name !== undefined && BREAKING.has(name.toLowerCase())) text += " ";
  }
  return text + markdown.slice(done);
}

const BREAKING = new Set([...FOLDS, "br"]);

/** Returns the end of the code that begins before `from`; `from` itself if the run of backticks begins none. */
function endOfCode(text: string, from: number, run: string): number {
  const within = text.slice(from, from + MAX_CODE);
  for (let at = within.indexOf(run); at !== -1; ) {
    let end = at;
    while (within[end] === "`") end++;
    if (end - at === run.length) return from + end;
    at = within.indexOf(run, end);
  }
  return from;
}
