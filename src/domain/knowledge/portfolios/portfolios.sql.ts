import type { InWorkspace } from "../../kernel/context.ts";

/** Whether the workspace has a portfolio with this id. */
export async function hasPortfolio({ db, workspace }: InWorkspace, id: string): Promise<boolean> {
  const text = `select 1 from portfolio where workspace_id = $1 and id = $2 and deleted_at is null`;
  return (await db.query({ name: "has_portfolio", text }, [workspace.id, id])).length > 0;
}
