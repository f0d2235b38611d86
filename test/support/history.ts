import type { World } from "./world.ts";

/** Lets whole days pass for a project by moving its history back by as many days. */

const TIMES = {
  issue: ["created_at", "updated_at", "started_at", "resolved_at", "archived_at", "due_at"],
  activity: ["created_at"],
  sprint: ["created_at", "updated_at", "started_at", "completed_at", "start_at", "end_at"],
  sprint_snapshot: ["taken_at"],
  issue_step: ["at"],
};
const DAYS: Partial<Record<keyof typeof TIMES, string[]>> = { issue: ["due_on"], sprint: ["start_on", "end_on"] };

export async function pass({ sql, project }: World, days: number): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const sets = [
      ...columns.map((column) => `${column} = ${column} - interval '${days * 24} hours'`),
      ...(DAYS[table as keyof typeof TIMES] ?? []).map((column) => `${column} = ${column} - ${days}`),
    ];
    await sql(`update ${table} set ${sets.join(", ")} where project_id = $1`, [project.id]);
  }
  await sql(
    `with gone as (delete from sprint_flow where sprint_id in (select id from sprint where project_id = $1) returning *)
     insert into sprint_flow
     select (jsonb_populate_record(null::sprint_flow, to_jsonb(gone) || jsonb_build_object(
              'since', since - make_interval(hours => $2)))).*
     from gone order by since`,
    [project.id, days * 24],
  );
}

/** A day in UTC, by its distance from today. */
export const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** Waits for the next day if this one is nearly over, so that it does not end during a test. */
export async function earlyEnough(): Promise<void> {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left < 60_000) await new Promise((done) => setTimeout(done, left + 100));
}
