import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Counts runs of a workspace in the calendar month (UTC) of `now`. Call it last in the transaction that stores the runs: it
 * locks a row that all runs of the workspace share.
 * @returns the runs of the month with these
 */
export async function countRun(db: Db, workspaceId: string, now: string, runs = 1): Promise<number> {
  const [row] = await db.query<{ runs: number }>(
    {
      name: "count_automation_runs",
      text: `
        insert into automation_month (workspace_id, month, runs) values ($1, ${MONTH_OF_NOW}, $3)
        on conflict (workspace_id, month) do update set runs = automation_month.runs + $3 returning runs`,
    },
    [workspaceId, now, runs],
  );
  return row!.runs;
}

/** The runs of a workspace in the calendar month (UTC) of `now`. */
export async function runsThisMonth(db: Db, workspaceId: string, now: string): Promise<number> {
  const text = `select runs from automation_month where workspace_id = $1 and month = ${MONTH_OF_NOW}`;
  const [row] = await db.query<{ runs: number }>({ name: "automation_runs_of_month", text }, [workspaceId, now]);
  return row?.runs ?? 0;
}

const MONTH_OF_NOW = `date_trunc('month', $2::timestamptz at time zone 'UTC')::date`;
