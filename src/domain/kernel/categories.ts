import { own } from "./own.ts";

/** Categories of statuses. Every column of a board has one. */
export const CATEGORIES = ["backlog", "todo", "in_progress", "in_review", "done", "failed", "cancelled"] as const;
export type Category = (typeof CATEGORIES)[number];
const STARTED: readonly Category[] = ["in_progress", "in_review"];
const CLOSED: readonly Category[] = ["done", "failed", "cancelled"];
export const isStarted = (category: Category): boolean => STARTED.includes(category);
export const isClosed = (category: Category): boolean => CLOSED.includes(category);

/** Other names for categories that every input accepts. */
export const CATEGORY_SYNONYMS = {
  unstarted: "todo",
  started: "in_progress",
  completed: "done",
  canceled: "cancelled",
};

/** The category that a word means, in any spelling. */
export function categoryNamed(word: string): Category | null {
  const spelled = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const meant = own<string>(CATEGORY_SYNONYMS, spelled) ?? spelled;
  return CATEGORIES.find((category) => category === meant) ?? null;
}
