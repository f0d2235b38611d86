import { expect } from "vitest";
import { EVENTS } from "../../src/domain/event-catalogue.ts";
import { isSame } from "../../src/domain/kernel/difference.ts";
import type { World } from "./world.ts";

export type EventRow = {
  type: string;
  issue_id: string | null;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
};

/**
 * The project's recorded events, oldest first.
 * @param like pattern of LIKE for the events' names
 */
export const eventsOf = ({ sql, project }: World, like: string): Promise<EventRow[]> =>
  sql<EventRow>(
    `select type, issue_id, data, previous, changed from event where project_id = $1 and type like $2 order by id`,
    [project.id, like],
  );

/**
 * Recorded events that do not match the catalogue: unknown ones, and those whose data does not parse with the
 * event's view or has fields that the view lacks. Events that a test inserted have no author and are skipped.
 */
export async function undefinedEvents({ sql }: Pick<World, "sql">): Promise<string[]> {
  const events = await sql<{ type: string; data: unknown }>(
    "select type, data from event where actor_id is not null or actor_kind <> 'user'",
  );
  expect(events.length).toBeGreaterThan(0);
  return [...new Set(events.flatMap(({ type, data }) => faultsOf(type, data)))];
}

function faultsOf(type: string, data: unknown): string[] {
  const definition = EVENTS.find(({ name }) => name === type);
  if (!definition) return [`${type} is not defined`];
  const parsed = definition.view.safeParse(data);
  if (!parsed.success) return [`${type}: ${parsed.error.message}`];
  // Parsing leaves unknown fields out.
  return isSame(parsed.data, data) ? [] : [`${type} has fields that its view does not have`];
}
