import type { Db } from "../../kernel/ports/ports.ts";
import type { EntryKind } from "./account.sql.ts";

export type EntryRow = {
  id: string;
  kind: EntryKind;
  bucket: "included" | "topup";
  amount: number;
  balance_after: number;
  reason: string | null;
  by: string | null;
  created_at: string;
};

/** Lists lines of the workspace's ledger, newest first. `before` is the id of the last line of the previous page. */
export function listEntries(db: Db, workspaceId: string, before: string | null, limit: number): Promise<EntryRow[]> {
  return db.query<EntryRow>(
    {
      text: `
        select e.id, e.kind, e.bucket, e.amount, e.balance_after, e.reason, coalesce(u.name, u.email) as by, e.created_at
        from credit_entry e left join app_user u on u.id = e.created_by
        where e.workspace_id = $1 ${before ? "and e.id < $3::uuid" : ""}
        order by e.id desc limit $2`,
    },
    before ? [workspaceId, limit, before] : [workspaceId, limit],
  );
}
