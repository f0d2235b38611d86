import { AsyncLocalStorage } from "node:async_hooks";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";

/**
 * The time zone in which a page shows times. Every second piece of a page shows one, deep inside of lists, so it is known
 * to all that runs for the page.
 */

const zone = new AsyncLocalStorage<string>();

/** The person's own zone, or else the workspace's. Outside of workspaces it is UTC. */
export function inZoneOf<T>(
  visitor: Pick<Visitor, "user"> | null,
  here: { timezone: string } | undefined,
  show: () => Promise<T>,
): Promise<T> {
  return zone.run(visitor?.user.timezone ?? here?.timezone ?? "UTC", show);
}

export const zoneHere = (): string => zone.getStore() ?? "UTC";

/** A whole day, `YYYY-MM-DD`, is the same in every zone. */
export const isWholeDay = (date: string): boolean => date.length === 10;

const formats = new Map<string, Intl.DateTimeFormat>();

/** `21 Nov 2026, 15:30 UTC`, in the page's zone. */
export function timeInWords(at: string): string {
  return formatOf("time", zoneHere(), {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(Date.parse(at));
}

/** `21 Nov 2026`. */
export const dayInWords = (at: string): string =>
  formatOf("day", isWholeDay(at) ? "UTC" : zoneHere(), { dateStyle: "medium" }).format(Date.parse(at));

/** The day of a date in the page's zone: `2026-11-24`. */
export function dayHere(date: string): string {
  if (isWholeDay(date)) return date;
  const { day, month, year } = Object.fromEntries(
    formatOf("parts", zoneHere(), { day: "2-digit", month: "2-digit", year: "numeric" })
      .formatToParts(Date.parse(date))
      .map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}`;
}

/** Making one takes longer than using it a hundred times. There are some 400 zones. */
function formatOf(kind: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
    formats.set(key, format);
  }
  return format;
}
