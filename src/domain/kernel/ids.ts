import { randomUUID } from "node:crypto";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The millisecond of the last id, the number of the id within it, and the text that says the millisecond. */
let last = 0;
let count = 0;
let start = "";

/**
 * Returns a new UUIDv7. Ids of one process sort by time, even within one millisecond: the twelve bits after the version are
 * a counter (RFC 9562 §6.2). The rest is that of a random UUID, of which Node makes many at a time.
 */
export function newId(): string {
  const random = randomUUID();
  const now = Date.now();
  if (now > last || count === MOST_IN_MS) {
    last = Math.max(now, last + 1);
    // Half of the range is left to count in.
    count = Number.parseInt(random.slice(0, 3), 16) >> 1;
    const time = last.toString(16).padStart(12, "0");
    start = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  } else count++;
  return `${start}${count.toString(16).padStart(3, "0")}${random.slice(18)}`;
}

const MOST_IN_MS = 0xfff;

/** Reads any spelling of a UUID and returns the canonical one, or null. */
export function readId(text: string): string | null {
  if (!UUID.test(text)) return null;
  const hex = text.replaceAll("-", "").toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Normalises a reference in a body: an id or a word. Two spellings of the same reference give the same key. */
export const referenceKey = (ref: string): string => readId(ref) ?? ref.toLowerCase();

/** Returns the smallest UUIDv7 of a time, which bounds event partitions and ranges of ids. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time of a UUIDv7: RFC 3339 in UTC, with milliseconds. */
export const timeOf = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
