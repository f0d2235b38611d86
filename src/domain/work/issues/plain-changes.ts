import type { Changes } from "./change.sql.ts";
import type { Change } from "./changes-for.ts";

/** Returns the changes of fields that are stored as sent. */
export function plainChanges(wanted: Change): Changes {
  const { type, title, description_md, priority, estimate_minutes, story_points, spent_minutes } = wanted;
  const { completion_pct, start_at, due_at, external_source, external_id, remaining_minutes } = wanted;
  const plain = {
    type,
    title,
    description_md,
    priority,
    estimate_minutes,
    story_points,
    spent_minutes,
    remaining_minutes,
    completion_pct,
    start_at,
    due_at,
    external_source,
    external_id,
  };
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
}
