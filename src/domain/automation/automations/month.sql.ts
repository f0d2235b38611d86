import type { Db } from "../../kernel/ports/ports.ts";

/** The runs of a workspace that started in the calendar month (UTC) of `now`. */
export async function runsThisMonth(db: Db, workspaceId: string, now: string): Promise<number> {
  const text = `
    select runs from automation_month
    where workspace_id = $1 and month = date_trunc('month', $2::timestamptz at time zone 'UTC')::date`;
  const [row] = await db.query<{ runs: number }>({ name: "automation_runs_of_month", text }, [workspaceId, now]);
  return row?.runs ?? 0;
}
