/** Mentions of agents by handle: `@triage-bot`. Other texts that begin with @ stay as they are. */

/** Handles that are looked up for one text. */
const MAX_HANDLES = 100;
/** Signs `@`, and runs of backticks, that are looked at in one text, which takes about 10 ms. */
const MAX_SIGNS = 20_000;
export const MAX_HANDLE_LENGTH = 40;

const HANDLE = /@([a-z0-9]+(?:-[a-z0-9]+)*)/iy;
/** What makes it part of something else: an address, a path, the name of a package. A backslash before it escapes it. */
const JOINED_BEFORE = /[\p{L}\p{N}_@./\\-]/u;
const JOINED_AFTER = /^(?:[\p{L}\p{N}_@/]|[.:][\p{L}\p{N}])/u;

/** The handle, in lower case, of an `@` at this position. Null if none begins there. */
export function handleAt(text: string, start: number): { whole: string; handle: string } | null {
  if (start > 0 && JOINED_BEFORE.test(text[start - 1]!)) return null;
  HANDLE.lastIndex = start;
  const [whole, handle] = HANDLE.exec(text) ?? [];
  if (!whole || !handle || handle.length > MAX_HANDLE_LENGTH) return null;
  const end = start + whole.length;
  return JOINED_AFTER.test(text.slice(end, end + 3)) ? null : { whole, handle: handle.toLowerCase() };
}

/** What may be handles in a Markdown text, outside its code, each once. */
export function handlesIn(markdown: string): string[] {
  if (!markdown.includes("@")) return [];
  const text = withoutCode(markdown);
  const handles = new Set<string>();
  let left = MAX_SIGNS;
  for (let at = text.indexOf("@"); at !== -1 && handles.size < MAX_HANDLES; at = text.indexOf("@", at + 1)) {
    if (left-- === 0) break;
    const found = handleAt(text, at);
    if (found) handles.add(found.handle);
  }
  return [...handles];
}

/**
 * The text without what stands between two equally long runs of backticks. It reads the text once, up to the run that is one
 * too many.
 */
function withoutCode(markdown: string): string {
  let text = markdown;
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let at = text.indexOf("`"); at !== -1; at = text.indexOf("`", at + lengths.at(-1)!)) {
    if (starts.length === MAX_SIGNS) {
      text = text.slice(0, at);
      break;
    }
    let end = at + 1;
    while (text.charCodeAt(end) === BACKTICK) end++;
    starts.push(at);
    lengths.push(end - at);
  }
  const parts: string[] = [];
  let done = 0;
  // From the last run to the first: the next one of each length.
  const following = new Map<number, number>();
  const closing = new Array<number | undefined>(starts.length);
  for (let n = starts.length - 1; n >= 0; n--) {
    closing[n] = following.get(lengths[n]!);
    following.set(lengths[n]!, n);
  }
  for (let n = 0; n < starts.length; n++) {
    const end = closing[n];
    if (end === undefined) continue;
    parts.push(text.slice(done, starts[n]));
    done = starts[end]! + lengths[end]!;
    n = end;
  }
  parts.push(text.slice(done));
  return parts.join("`");
}

const BACKTICK = "`".charCodeAt(0);
