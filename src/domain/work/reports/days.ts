/** Calendar days in UTC, as `YYYY-MM-DD`, which sort as text. */

const DAY_MS = 86_400_000;

/** Returns the day of an instant. */
export const dayOf = (instant: string): string => instant.slice(0, 10);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the number of days between two days; 0 if they are equal. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Returns the Monday of the day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
