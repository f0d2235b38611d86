import bowser from "bowser";

/** What sent a `User-Agent`, in words of people: "Firefox on Linux". Nothing depends on it. */
export function deviceOf(userAgent: string): string {
  if (userAgent === "") return "Unknown device";
  const { browser, os } = bowser.parse(userAgent);
  if (!browser.name) return "Unknown device";
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
