import type { InWorkspace } from "../kernel/context.ts";

/** These statements return the ids of the rows that named the person. The last parameter is the maximum number of rows. */

const clear =
  (table: string, field: string, also = "") =>
  async (ctx: InWorkspace, userId: string, limit: number) => {
    const rows = await ctx.db.query<{ id: string }>(
      {
        text: `
        update ${table} set ${field} = null, updated_at = $3 ${also} where id = any(array(
          select id from ${table} where workspace_id = $1 and ${field} = $2 and deleted_at is null limit $4))
        returning id`,
      },
      [ctx.workspace.id, userId, ctx.now, limit],
    );
    return rows.map(({ id }) => id);
  };

export const clearOwnerOfGoals = clear("goal", "owner_user_id", ", version = version + 1");
export const clearOwnerOfKeyResults = clear("key_result", "owner_user_id");
export const clearLeadOfPortfolios = clear("portfolio", "lead_user_id");

/** Ends a person's watching of all goals. */
export async function unwatchGoals({ db, workspace }: InWorkspace, userId: string): Promise<void> {
  const text = `delete from goal_watcher where workspace_id = $1 and user_id = $2`;
  await db.query({ text }, [workspace.id, userId]);
}
