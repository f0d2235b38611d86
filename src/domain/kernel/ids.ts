import { v7 } from "uuid";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** A new UUIDv7: sorts by time, also within one millisecond of this process. */
export const newId = (): string => v7();

/** Reads any spelling of a UUID and returns the canonical one, or null. */
export function readId(text: string): string | null {
  if (!UUID.test(text)) return null;
  const hex = text.replaceAll("-", "").toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What a body names by an id in any spelling, or by a word in any case: the same for all that mean the same. */
export const referenceKey = (ref: string): string => readId(ref) ?? ref.toLowerCase();

/** The smallest UUIDv7 of an instant; bounds of event partitions and of time windows over ids. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
