import { v7 } from "uuid";
import { emailKey } from "./email.ts";
import { nameKey } from "./text.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Returns a new UUIDv7. Ids of one process sort by time, even within one millisecond. */
export const newId = (): string => v7();

/** Reads any spelling of a UUID and returns the canonical one, or null. */
export function readId(text: string): string | null {
  if (!UUID.test(text)) return null;
  const hex = text.replaceAll("-", "").toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Normalises a reference in a body: an id, an e-mail address or a name. Two spellings of the same reference give the same
 * key.
 */
export const referenceKey = (ref: string): string => readId(ref) ?? emailKey(ref) ?? nameKey(ref);

/** Returns the smallest UUIDv7 of a time, which bounds event partitions and ranges of ids. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The time of a UUIDv7: RFC 3339 in UTC, with milliseconds. */
export const timeOf = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
