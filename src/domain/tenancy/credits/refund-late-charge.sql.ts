import type { Transaction } from "../../kernel/ports/ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/**
 * Whether the workspace has another purchase of the same pack and credits that was started or paid after this one
 * started.
 */
export async function isPaidAgain(
  tx: Transaction,
  { id, workspace_id, pack, credits, created_at }: Purchase,
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `
        select 1 from purchase
        where workspace_id = $1 and id <> $2 and pack = $3 and credits = $4 and state <> 'failed'
          and (created_at > $5::timestamptz or settled_at > $5::timestamptz)
        limit 1`,
    },
    [workspace_id, id, pack, credits, created_at],
  );
  return rows.length > 0;
}
