import type { Plan } from "../../kernel/plans.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** Returns the previous plan. */
export async function updatePlan(db: Db, workspaceId: string, plan: Plan, now: string): Promise<Plan> {
  const [row] = await db.query<{ before: Plan }>(
    {
      text: `
        update workspace w set plan = $2, updated_at = case when before.plan = $2 then w.updated_at else $3 end
        from (select plan from workspace where id = $1 for update) before
        where w.id = $1 returning before.plan as before`,
    },
    [workspaceId, plan, now],
  );
  return row!.before;
}
