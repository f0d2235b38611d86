/** Languages and time zones, as the runtime knows them. */

/** A language tag (BCP 47) in its canonical spelling, or null. */
export function readLocale(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

/** A time zone (IANA) in its own spelling, or null. Offsets are no zones: they know no summer time. */
export function readTimezone(text: string): string | null {
  if (!/^[a-z]/i.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions();
    // The runtime may answer an alias (Asia/Calcutta for Asia/Kolkata); then the caller's word stands.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}
