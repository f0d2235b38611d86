import type { Background } from "../../events/background.ts";

/**
 * Counts of issues that reports read instead of the issues (migrations 0094 and 0098). Each change of an issue appends what it was
 * and what it is to `issue_step`. Here these rows are added to the counts.
 */

const PROJECTS = 1000;
/** Sprints of one run. The next one comes in seconds. */
const SPRINTS = 100;
/** Steps of one statement. */
const STEPS = 10_000;

/** One process at a time counts a project, so that two cannot wait for each other's rows. */
const alone = (projectId: string) => `pg_try_advisory_xact_lock(hashtextextended('tally ' || ${projectId}::text, 0))`;

/** Returns the number of steps that were added. */
export async function tallySteps({ database }: Background, stopping: AbortSignal): Promise<number> {
  const projects = await database.query<{ id: string }>({
    name: "tally_projects",
    text: `select distinct project_id as id from issue_step limit ${PROJECTS}`,
  });
  let steps = 0;
  for (const { id } of projects) {
    for (let most = STEPS; most === STEPS && !stopping.aborted; steps += most) {
      const [row] = await database.query<{ steps: number }>(
        {
          name: "tally_steps",
          text: `select tally_issue_steps($1, ${STEPS}) as steps where ${alone("$1")}`,
        },
        [id],
      );
      most = row?.steps ?? 0;
    }
    const text =
      "select forget_moments(id) from sprint where project_id = $1 and status = 'active' and deleted_at is null";
    await database.query({ name: "forget_moments", text }, [id]);
  }
  return steps;
}

/** Sums up the sprints that are listed to be, active ones first, and returns their number. */
export async function countSprints({ database }: Background, stopping: AbortSignal): Promise<number> {
  const sprints = await database.query<{ id: string; project_id: string }>({
    name: "sprints_to_count",
    text: `
      select s.id, s.project_id from sprint_to_count t join sprint s on s.id = t.sprint_id
      order by s.status = 'active' desc, s.id desc limit ${SPRINTS}`,
  });
  let counted = 0;
  for (const { id, project_id } of sprints) {
    if (stopping.aborted) break;
    const [row] = await database.query<{ counted: boolean }>(
      { name: "count_sprint", text: `select count_sprint($1) as counted where ${alone("$2")}` },
      [id, project_id],
    );
    if (row?.counted) counted++;
  }
  return counted;
}
