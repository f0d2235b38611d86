import { counted } from "../../../domain/kernel/counted.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { dayHere, dayInWords, isWholeDay, timeInWords } from "../site/zone.ts";

export { dayInWords };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in a word or two; the exact time on pointing at it. After a month, the day. */
export function ago(at: string, now: string): Html {
  const since = Date.parse(now) - Date.parse(at);
  return html`<time datetime="${at}" title="${exactly(at)}">${sinceInWords(since, at)}</time>`;
}

function sinceInWords(since: number, at: string): string {
  if (since < MINUTE) return "just now";
  if (since < HOUR) return `${Math.floor(since / MINUTE)} min ago`;
  if (since < DAY) return `${Math.floor(since / HOUR)} h ago`;
  const days = Math.floor(since / DAY);
  if (days < 31) return days === 1 ? "yesterday" : `${counted(days, "day")} ago`;
  return dayInWords(at);
}

/**
 * The day by which something is due, and whether it is late. A whole day is late when it is over in the page's zone, an
 * instant at once.
 */
export function due(at: string, now: string, done: boolean): Html {
  const late = !done && (isWholeDay(at) ? at < dayHere(now) : Date.parse(at) <= Date.parse(now));
  return html`<time datetime="${at}"${late ? html` class="late"` : ""}>${late ? "was due" : "due"} ${dayInWords(at)}</time>`;
}

/** In the time zone of the page. */
export const exactly = timeInWords;

/** `95` → `1 h 35 min`. */
export function minutesInWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : "", rest > 0 || hours === 0 ? `${rest} min` : ""].filter(Boolean).join(" ");
}
