import type { SavedCard } from "../../kernel/ports/card-processor.ts";
import type { Db } from "../../kernel/ports/ports.ts";

export type SavedCardRow = {
  customer: string;
  payment_method: string | null;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
  /** When the customer or the card was stored. */
  updated_at: string;
};

export async function readSavedCard(db: Db, workspaceId: string): Promise<SavedCardRow | null> {
  const [row] = await db.query<SavedCardRow>(
    {
      text: `select customer, payment_method, brand, last4, exp_month, exp_year, updated_at from saved_card where workspace_id = $1`,
    },
    [workspaceId],
  );
  return row ?? null;
}

/**
 * Stores the processor's customer of a workspace and returns the stored one. An existing customer stays unless it is
 * `gone`; then its card is removed, too.
 */
export async function storeCustomer(
  db: Db,
  workspaceId: string,
  { customer, gone }: { customer: string; gone: string | null },
  now: string,
): Promise<string> {
  await db.query(
    {
      text: `
        insert into saved_card (workspace_id, customer, updated_at) values ($1, $2, $4)
        on conflict (workspace_id) do update set
          customer = excluded.customer, payment_method = null, brand = null, last4 = null, exp_month = null,
          exp_year = null, set_up_at = null, updated_at = excluded.updated_at
        where saved_card.customer = $3`,
    },
    [workspaceId, customer, gone, now],
  );
  return (await readSavedCard(db, workspaceId))!.customer;
}

/**
 * Stores the saved card of a workspace. The card that was set up last wins, whatever order the notices arrive in.
 * Returns false and changes nothing for an older card or for another customer's.
 */
export async function storeCard(db: Db, workspaceId: string, card: SavedCard, now: string): Promise<boolean> {
  const rows = await db.query(
    {
      text: `
        update saved_card
        set payment_method = $3, brand = $4, last4 = $5, exp_month = $6, exp_year = $7, set_up_at = $8, updated_at = $9
        where workspace_id = $1 and customer = $2 and (set_up_at is null or set_up_at <= $8::timestamptz) returning 1`,
    },
    [
      workspaceId,
      card.customer,
      card.paymentMethod,
      card.brand,
      card.last4,
      card.expMonth,
      card.expYear,
      card.setUpAt,
      now,
    ],
  );
  return rows.length === 1;
}

export async function workspaceOfCustomer(db: Db, customer: string): Promise<string | null> {
  const [row] = await db.query<{ workspace_id: string }>(
    { text: `select workspace_id from saved_card where customer = $1` },
    [customer],
  );
  return row?.workspace_id ?? null;
}
