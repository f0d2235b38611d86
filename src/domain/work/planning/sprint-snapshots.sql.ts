import type { InProject } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { isLive } from "../../kernel/present.sql.ts";

export type Scope = { issues: number; points: number; minutes: number };

/**
 * Stores which live issues are in a sprint, with their status and estimates, and returns the sums. This transaction has
 * changed the sprint's row, so no issue is added to the sprint meanwhile.
 */
export async function takeSnapshot(
  { db, workspace, project, now }: InProject,
  sprintId: string,
  kind: "commitment" | "completion",
): Promise<Scope> {
  const id = newId();
  const [scope] = await db.query<Scope>(
    {
      text: `
        with snapshot as (
          insert into sprint_snapshot (id, workspace_id, project_id, sprint_id, kind, taken_at)
          values ($1, $2, $3, $4, $5, $6)
        ),
        written as (
          insert into sprint_snapshot_issue (snapshot_id, issue_id, workspace_id, status, story_points, estimate_minutes)
          select $1, id, $2, status, story_points, estimate_minutes from issue i
          where workspace_id = $2 and sprint_id = $4 and ${isLive("i")}
          returning story_points, estimate_minutes
        )
        select count(*) as issues, coalesce(sum(story_points), 0) as points,
               coalesce(sum(estimate_minutes), 0) as minutes from written`,
    },
    [id, workspace.id, project.id, sprintId, kind, now],
  );
  // Reports count what an active sprint has of its commitment. A worker counts anew, and others read issues until then.
  if (kind === "commitment") {
    const text = `insert into sprint_to_count values ($1) on conflict (sprint_id) do update set sprint_id = excluded.sprint_id`;
    await db.query({ text }, [sprintId]);
  }
  if (kind === "completion") await db.query({ text: "call sum_up_completion($1)" }, [id]);
  return scope!;
}
