/** Numbers of things in texts for people. */

/** Returns the number with its noun: `1 issue`, `2 issues`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Returns a time to wait, rounded up: seconds below two minutes, else minutes. */
export const waitInWords = (seconds: number): string =>
  seconds < 120 ? counted(seconds, "second") : minutesInWords(seconds);

/** Returns a number of seconds as minutes, rounded up. */
export const minutesInWords = (seconds: number): string => counted(Math.ceil(seconds / 60), "minute");
