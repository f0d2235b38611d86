import type { InWorkspace, Writing } from "../../kernel/context.ts";

/** What agents have spent in the current month, and their caps. */

export type Spend = {
  period_usd: number;
  spend_cap_usd: number | null;
  /** Whether the cap is reached and keeps the agent from starting work. */
  blocked: boolean;
};

/** Null if the user is a person. */
export async function readSpend({ db, now, workspace }: InWorkspace, userId: string): Promise<Spend | null> {
  const text = `
    select spend::float8 as period_usd, spend_cap_usd::float8 as spend_cap_usd,
           spend_cap_action = 'block' and coalesce(spend >= spend_cap_usd, false) as blocked
    from agent cross join lateral (
      select case when spend_month >= date_trunc('month', $3::timestamptz at time zone 'UTC')::date
                  then spend_usd else 0 end as spend) s
    where workspace_id = $1 and user_id = $2`;
  const [row] = await db.query<Spend>({ name: "agent_spend", text }, [workspace.id, userId, now]);
  return row ?? null;
}

/** Stores which percentage of the cap was announced in this month. The agent is locked. */
export async function storeAnnounced({ tx, workspace }: InWorkspace & Writing, userId: string, percentage: number) {
  const text = `update agent set spend_announced = $3 where workspace_id = $1 and user_id = $2`;
  await tx.query({ name: "agent_spend_announced", text }, [workspace.id, userId, percentage]);
}
