/** `in_progress` → `In progress`. */
export function words(name: string): string {
  const text = name === "todo" ? "to do" : name.replaceAll("_", " ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
