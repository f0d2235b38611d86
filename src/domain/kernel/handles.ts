/** Mentions of agents by handle: `@triage-bot`. Other texts that begin with @ stay as they are. */

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
