/** Categories of statuses: every column of a board belongs to one. */
export const CATEGORIES = ["backlog", "todo", "in_progress", "in_review", "done", "failed", "cancelled"] as const;
export type Category = (typeof CATEGORIES)[number];
const STARTED: readonly Category[] = ["in_progress", "in_review"];
const CLOSED: readonly Category[] = ["done", "failed", "cancelled"];
export const isStarted = (category: Category): boolean => STARTED.includes(category);
export const isClosed = (category: Category): boolean => CLOSED.includes(category);

/** Other words for categories, read in any input. */
export const CATEGORY_SYNONYMS = {
  unstarted: "todo",
  started: "in_progress",
  completed: "done",
  canceled: "cancelled",
};
