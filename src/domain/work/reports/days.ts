/** Days of the calendar in UTC, written YYYY-MM-DD, which sort as text. */

const DAY_MS = 86_400_000;

/** The day that an instant lies in. */
export const dayOf = (instant: string): string => instant.slice(0, 10);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** How many days lie between two; 0 for the same one. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The Monday of the day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
