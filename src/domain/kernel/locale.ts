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
