import type { Db } from "../ports.ts";

export type EntryKind = "included" | "purchase" | "spend" | "adjust" | "refund";

export type NewEntry = {
  id: string;
  kind: EntryKind;
  /** Credits, positive or negative. */
  amount: number;
  reason: string | null;
  created_by: string | null;
  /** The balance must not fall below it. */
  floor: number;
};

/**
 * Changes a workspace's bought credits and writes the line about it, in one statement: the account's row lock gives the
 * lines of a workspace one order. Null when the balance would fall below the floor or grow past what a column holds.
 */
export async function postEntry(db: Db, workspaceId: string, entry: NewEntry, now: string): Promise<number | null> {
  const [row] = await db.query<{ balance_after: number }>(
    {
      text: `
        with account as (
          update credit_account set topup_balance = topup_balance + $4::int, updated_at = $8::timestamptz
          where workspace_id = $1 and topup_balance::bigint + $4::int between $7::int and ${MAX_BALANCE}
          returning topup_balance
        )
        insert into credit_entry (id, workspace_id, kind, bucket, amount, balance_after, reason, created_by, created_at)
        select $2::uuid, $1::uuid, $3, 'topup', $4::int, topup_balance, $5, $6::uuid, $8::timestamptz from account
        returning balance_after`,
    },
    [workspaceId, entry.id, entry.kind, entry.amount, entry.reason, entry.created_by, entry.floor, now],
  );
  return row?.balance_after ?? null;
}

const MAX_BALANCE = 2 ** 31 - 1;
