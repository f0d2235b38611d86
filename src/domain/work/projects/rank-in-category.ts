import { CATEGORIES, type Category } from "../../kernel/categories.ts";
import { type Ranked, rankAt, type SetRanks } from "../positions.ts";

/**
 * Returns the rank for a new column: after the last column of its category. If there is none, the column goes where the
 * order of the categories puts it.
 */
export function rankInCategory(
  others: (Ranked & { category: Category })[],
  category: Category,
  setRanks: SetRanks,
): Promise<string> {
  const same = others.findLastIndex((column) => column.category === category);
  const order = CATEGORIES.indexOf(category);
  const earlier = others.findLastIndex((column) => CATEGORIES.indexOf(column.category) < order);
  return rankAt(others, (same === -1 ? earlier : same) + 1, setRanks);
}
