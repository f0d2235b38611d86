import { MAX_BODY_CHARACTERS } from "./inputs.ts";

/**
 * Lines of Markdown. Each is written once, with the marks of all quotes and lists around it. Adding the marks level by
 * level would take seconds for a long text that is nested deep.
 */
export type MarkdownLines = {
  readonly written: string[];
  /** What the next line begins with. */
  next: string;
  /** What the lines after it begin with. */
  later: string;
  /** `later` without white space at its end, for lines without text. */
  bare: string;
  /** What a blank line begins with that comes before the next line; null if none comes. */
  blank: string | null;
  /** Characters that were written. */
  size: number;
  /** Lets other calls run if it is time. */
  pause: () => Promise<void>;
};

export const openLines = (pause: () => Promise<void>): MarkdownLines => ({
  written: [],
  next: "",
  later: "",
  bare: "",
  blank: null,
  size: 0,
  pause,
});

/** Lines that are written before other calls may run. */
const AT_ONCE = 1_024;

/** Writes nothing more when the text is too long for a doc, and will be refused. */
export function writeLine(lines: MarkdownLines, line: string): void {
  if (lines.size > MAX_BODY_CHARACTERS) return;
  const { blank, next, later, bare } = lines;
  if (blank !== null) push(lines, blank);
  lines.blank = null;
  push(lines, line !== "" ? next + line : next === later ? bare : next.trimEnd());
  lines.next = later;
}

/** Takes no more lines than a doc can have. */
export async function writeLines(lines: MarkdownLines, all: Iterable<string>): Promise<void> {
  for (const line of all) {
    if (lines.size > MAX_BODY_CHARACTERS) return;
    writeLine(lines, line);
    if (lines.written.length % AT_ONCE === 0) await lines.pause();
  }
}

function push(lines: MarkdownLines, line: string): void {
  lines.written.push(line);
  lines.size += line.length + 1;
}

/** Writes what is inside of a quote or a list item. @param first begins its first line @param later begins its other lines */
export async function writeInside(lines: MarkdownLines, first: string, later: string, write: Write): Promise<void> {
  const around = { next: lines.next, later: lines.later, bare: lines.bare };
  lines.next += first;
  lines.later += later;
  lines.bare = lines.later.trimEnd();
  const wrote = await isWriting(lines, write);
  Object.assign(lines, around, wrote && { next: around.later });
}

/** Writes blocks, with a blank line between two of them. @param write writes one block, or nothing */
export async function writeBlocks(lines: MarkdownLines, blocks: Iterable<Write>): Promise<void> {
  const before = lines.blank;
  let wroteAny = false;
  for (const write of blocks) {
    await lines.pause();
    if (!(await isWriting(lines, write))) continue;
    wroteAny = true;
    lines.blank = lines.bare;
  }
  lines.blank = wroteAny ? null : before;
}

export type Write = () => void | Promise<void>;

async function isWriting(lines: MarkdownLines, write: Write): Promise<boolean> {
  const { length } = lines.written;
  await write();
  return lines.written.length > length;
}
