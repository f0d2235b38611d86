import type { Background } from "../../events/background.ts";

/**
 * Counts of issues that reports read instead of the issues (migration 0094). Each change of an issue appends what it was
 * and what it is to `issue_step`. Here these rows are added to the counts.
 */

const PROJECTS = 1000;
/** Steps of one statement. */
const STEPS = 10_000;

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
          // One process at a time counts a project, so that two cannot wait for each other's rows.
          text: `
            select tally_issue_steps($1, ${STEPS}) as steps
            where pg_try_advisory_xact_lock(hashtextextended('tally ' || $1::text, 0))`,
        },
        [id],
      );
      most = row?.steps ?? 0;
    }
  }
  return steps;
}
