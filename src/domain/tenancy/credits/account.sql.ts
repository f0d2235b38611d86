import { newId } from "../../kernel/ids.ts";
import type { Transaction } from "../../kernel/ports/ports.ts";

/** The account of a workspace's credits and its append-only lines. Balances change only here, each with its line. */

export type Account = {
  topup_balance: number;
  included_balance: number;
  included_month: string | null;
  /** Credits granted so far this month. The difference to the balance was spent. */
  included_granted: number;
  low_since: string | null;
};
export type Bucket = "included" | "topup";
export type EntryKind = "included" | "purchase" | "spend" | "adjust" | "refund";

export type Line = {
  kind: EntryKind;
  bucket: Bucket;
  /** Credits, positive or negative. */
  amount: number;
  reason?: string | null;
  created_by?: string | null;
  purchase_id?: string | null;
  payment_intent?: string | null;
};

const columns = "topup_balance, included_balance, included_month::text, included_granted, low_since";

/** Locks the account until the transaction ends, so that its lines have one order. */
export async function lockAccount(tx: Transaction, workspaceId: string): Promise<Account> {
  const [account] = await tx.query<Account>(
    {
      text: `
        insert into credit_account (workspace_id, updated_at) values ($1, now())
        on conflict (workspace_id) do update set updated_at = now()
        returning ${columns}`,
    },
    [workspaceId],
  );
  return account!;
}

export async function readAccount(db: Pick<Transaction, "query">, workspaceId: string): Promise<Account | null> {
  const [account] = await db.query<Account>(
    {
      name: "read_account",
      text: `select ${columns} from credit_account where workspace_id = $1`,
    },
    [workspaceId],
  );
  return account ?? null;
}

/**
 * Writes a line and updates the balance. The caller has locked the account. Returns null and writes nothing if the
 * balance would fall below the line's floor or exceed what the column can store.
 */
export async function postIfAllowed(
  tx: Transaction,
  workspaceId: string,
  line: Line & { floor?: number },
  now: string,
): Promise<{ id: string; balance: number } | null> {
  const id = newId();
  const column = line.bucket === "topup" ? "topup_balance" : "included_balance";
  const [row] = await tx.query<{ balance: number }>(
    {
      text: `
        with account as (
          update credit_account set ${column} = ${column} + $3::int, updated_at = $9::timestamptz
          where workspace_id = $1 and ${column}::bigint + $3::int between $11::int and ${MAX_BALANCE}
          returning ${column} as balance)
        insert into credit_entry (id, workspace_id, amount, kind, bucket, balance_after, reason, created_by, purchase_id,
                                  payment_intent, created_at)
        select $2::uuid, $1::uuid, $3::int, $4, $5, balance, $6, $7::uuid, $8::uuid, $10, $9::timestamptz from account
        returning balance_after as balance`,
    },
    [
      workspaceId,
      id,
      line.amount,
      line.kind,
      line.bucket,
      line.reason ?? null,
      line.created_by ?? null,
      line.purchase_id ?? null,
      now,
      line.payment_intent ?? null,
      line.floor ?? -MAX_BALANCE,
    ],
  );
  return row ? { id, balance: row.balance } : null;
}

const MAX_BALANCE = 2 ** 31 - 1;

/**
 * Writes a line that must succeed; see `postIfAllowed`.
 * @throws RangeError if the balance would exceed what the column can store
 */
export async function post(
  tx: Transaction,
  workspaceId: string,
  line: Line,
  now: string,
): Promise<{ id: string; balance: number }> {
  const posted = await postIfAllowed(tx, workspaceId, line, now);
  if (!posted) throw new RangeError("The credit balance would exceed what the column can store.");
  return posted;
}

export async function setIncluded(
  tx: Transaction,
  workspaceId: string,
  { month, granted }: { month: string; granted: number },
): Promise<void> {
  await tx.query(
    { text: `update credit_account set included_month = $2::date, included_granted = $3 where workspace_id = $1` },
    [workspaceId, month, granted],
  );
}

export async function setLowSince(tx: Transaction, workspaceId: string, since: string | null): Promise<void> {
  await tx.query({ text: `update credit_account set low_since = $2::timestamptz where workspace_id = $1` }, [
    workspaceId,
    since,
  ]);
}

/** Included credits spent since an instant, as a positive number. */
export async function spentSince(tx: Pick<Transaction, "query">, workspaceId: string, since: string): Promise<number> {
  const [row] = await tx.query<{ spent: number }>(
    {
      text: `
        select coalesce(-sum(amount), 0) as spent from credit_entry
        where workspace_id = $1 and kind = 'spend' and bucket = 'included' and created_at >= $2::timestamptz`,
    },
    [workspaceId, since],
  );
  return row?.spent ?? 0;
}

/** SQL: accounts whose balances differ from the sums of their lines. It must always return no rows. */
export const UNBALANCED = `
  select a.workspace_id, a.topup_balance, a.included_balance, coalesce(t.sum, 0) as topup_lines, coalesce(i.sum, 0) as included_lines
  from credit_account a
  left join (select workspace_id, sum(amount) from credit_entry where bucket = 'topup' group by 1) t using (workspace_id)
  left join (select workspace_id, sum(amount) from credit_entry where bucket = 'included' group by 1) i using (workspace_id)
  where a.topup_balance <> coalesce(t.sum, 0) or a.included_balance <> coalesce(i.sum, 0)`;
