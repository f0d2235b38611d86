import type { Db, Transaction } from "../ports.ts";
import type { Purchase } from "./purchases.sql.ts";

/** Whether the workspace has another purchase of the same credits that was begun, or paid, after this one was begun. */
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

/** Whom a refund concerns: the workspace's owners, and the buyer while they are a member and a person. */
export async function concernedBy(
  db: Db,
  { workspace_id, user_id }: Pick<Purchase, "workspace_id" | "user_id">,
): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    {
      text: `
        select u.email from member m join app_user u on u.id = m.user_id
        where m.workspace_id = $1 and m.status = 'active' and u.kind = 'person' and u.email is not null
          and (m.role = 'owner' or m.user_id = $2)
        order by u.id`,
    },
    [workspace_id, user_id],
  );
  return rows.map(({ email }) => email);
}
