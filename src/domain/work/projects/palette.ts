import type { Category } from "../../kernel/categories.ts";

/** Colors for columns that are created without one. */
export const CATEGORY_COLORS: Record<Category, string> = {
  backlog: "#94a3b8",
  todo: "#64748b",
  in_progress: "#3b82f6",
  in_review: "#a855f7",
  done: "#22c55e",
  failed: "#ef4444",
  cancelled: "#78716c",
};
