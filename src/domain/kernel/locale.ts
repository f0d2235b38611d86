/** Languages and time zones known to the JavaScript runtime. */

/** A language tag (BCP 47) in canonical spelling. Null if invalid. */
export function readLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * A time zone (IANA) in canonical spelling. Null if invalid. UTC offsets are rejected because they have no daylight
 * saving time.
 */
export function readTimezone(text: string): string | null {
  if (!/^[a-z]/i.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions();
    // The runtime may return an alias (Asia/Calcutta for Asia/Kolkata). The caller's spelling is kept in that case.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}

/** The day that an instant is on in a zone: `2026-12-10`. */
export const dayIn = (instant: string, timezone: string): string => wallTime(instant, timezone).slice(0, 10);

/** An instant as people and inputs read it: `2026-12-10 19:00 -05:00`. */
export const instantInWords = (instant: string, timezone: string): string => {
  const local = wallTime(instant, timezone);
  const minutes = Math.round((Date.parse(`${local.replace(" ", "T")}Z`) - Date.parse(instant)) / 60_000);
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
  return `${local.slice(0, 16)} ${offset}`;
};

/** The instant at which a day begins in a zone. A day that begins twice begins the first time. */
export function startOfDayIn(day: string, timezone: string): string {
  const utc = Date.parse(day);
  const offsetAt = (at: number) => {
    const instant = new Date(at).toISOString();
    return Date.parse(`${wallTime(instant, timezone).replace(" ", "T")}Z`) - Math.floor(at / 1000) * 1000;
  };
  const candidates = [utc - offsetAt(utc - DAY_MS), utc - offsetAt(utc + DAY_MS)].sort((a, b) => a - b);
  const begins = candidates.find((at) => dayIn(new Date(at).toISOString(), timezone) === day);
  return new Date(begins ?? candidates[1]!).toISOString();
}

const DAY_MS = 86_400_000;

/** Making one takes longer than using it a hundred times. There are some 400 zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-12-10 19:00:00`. */
function wallTime(instant: string, timezone: string): string {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: timezone });
    formats.set(timezone, format);
  }
  return format.format(Date.parse(instant));
}
