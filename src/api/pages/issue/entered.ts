/** What people enter, as the API takes it. What cannot be read is passed on, so that the API says what is wrong. */

export const orNull = (text: string): string | null => (text === "" ? null : text);

export function numberOf(text: string): number | string | null {
  if (text === "") return null;
  const number = Number(text.replace(",", "."));
  return Number.isNaN(number) ? text : number;
}

/** `3 h 30 min`, `1h`, `45m`, `45`, `1:30` → minutes. A minus comes first. */
export function minutesOf(text: string): number | string | null {
  if (text === "") return null;
  const parts = /^(-?)(?:(\d{1,6}) ?(?:h|hours?|:))? ?(?:(\d{1,6}) ?(?:m|min|minutes?)?)?$/i.exec(text.slice(0, 40));
  if (!parts || (parts[2] === undefined && parts[3] === undefined)) return text;
  const minutes = 60 * Number(parts[2] ?? 0) + Number(parts[3] ?? 0);
  return parts[1] === "-" ? -minutes : minutes;
}

/**
 * A day as an instant. If it is the stored one, its time stays. Something is due until the end of its day.
 * @param stored RFC 3339
 */
export function dayOfInput(day: string, stored: string | null, isEnd: boolean): string | null {
  if (day === "") return null;
  if (stored?.startsWith(day)) return stored;
  return isEnd && /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T23:59:59Z` : day;
}
