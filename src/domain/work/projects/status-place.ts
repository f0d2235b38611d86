import { CATEGORIES, type Category } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { type Placed, rankAt } from "../places.ts";
import { setRanks } from "./statuses.sql.ts";

/** The rank for a new column: behind its category, or where the category has its natural place. */
export function rankInCategory(
  ctx: InProject,
  others: (Placed & { category: Category })[],
  category: Category,
): Promise<string> {
  const same = others.findLastIndex((column) => column.category === category);
  const order = CATEGORIES.indexOf(category);
  const earlier = others.findLastIndex((column) => CATEGORIES.indexOf(column.category) < order);
  return rankAt(others, (same === -1 ? earlier : same) + 1, (ranks) => setRanks(ctx, ranks));
}
