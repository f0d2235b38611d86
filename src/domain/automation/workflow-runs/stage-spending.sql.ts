import type { Db } from "../../kernel/ports/ports.ts";

export type StageOfSession = {
  workspaceId: string;
  sessionId: string;
  /** When the stage began. What the session used before does not count. */
  since: string;
};

/** Whether a session has spent at least so many US dollars on a stage, as far as costs are known. */
export async function hasSpent(
  db: Db,
  { workspaceId, sessionId, since }: StageOfSession,
  usd: number,
): Promise<boolean> {
  const text = `
    select coalesce(sum(cost_usd) >= $4::numeric, false) as has_spent from agent_usage
    where workspace_id = $1 and session_id = $2 and created_at >= $3`;
  const [row] = await db.query<{ has_spent: boolean }>({ name: "stage_spending", text }, [
    ...[workspaceId, sessionId, since, usd],
  ]);
  return row!.has_spent;
}
