import type { World } from "./world.ts";

export type EventRow = {
  type: string;
  issue_id: string | null;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
};

/**
 * What was recorded in the project, oldest first.
 * @param like pattern of LIKE for the events' names
 */
export const eventsOf = ({ sql, project }: World, like: string): Promise<EventRow[]> =>
  sql<EventRow>(
    `select type, issue_id, data, previous, changed from event where project_id = $1 and type like $2 order by id`,
    [project.id, like],
  );
