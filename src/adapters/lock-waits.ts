import type { Statement } from "../domain/kernel/ports/ports.ts";

// A read with such a word in a text matches too. It is then treated as a write, which is harmless.
const LOCKS_ROWS = /\b(?:insert|update|delete|merge)\b|\bfor\s+(?:key\s+)?share\b|\bpg_advisory/i;

const known = new WeakMap<Statement, boolean>();

/** Whether a statement may wait for a lock. Plain reads never do. */
export function mayWaitForLocks(statement: Statement): boolean {
  let waits = known.get(statement);
  if (waits === undefined) {
    waits = LOCKS_ROWS.test(statement.text);
    known.set(statement, waits);
  }
  return waits;
}
