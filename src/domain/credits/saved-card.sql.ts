import type { Db } from "../ports.ts";
import type { SavedCard } from "./cards.ts";

export type SavedCardRow = {
  customer: string;
  payment_method: string | null;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
};

export async function readSavedCard(db: Db, workspaceId: string): Promise<SavedCardRow | null> {
  const [row] = await db.query<SavedCardRow>(
    {
      text: `select customer, payment_method, brand, last4, exp_month, exp_year from saved_card where workspace_id = $1`,
    },
    [workspaceId],
  );
  return row ?? null;
}

/** Keeps the processor's customer of a workspace; the first one stays. */
export async function keepCustomer(db: Db, workspaceId: string, customer: string, now: string): Promise<string> {
  const [row] = await db.query<{ customer: string }>(
    {
      text: `
        insert into saved_card (workspace_id, customer, updated_at) values ($1, $2, $3)
        on conflict (workspace_id) do update set updated_at = excluded.updated_at returning customer`,
    },
    [workspaceId, customer, now],
  );
  return row!.customer;
}

/** The newest card that was set up is the one that pays. Another customer's card is not taken. */
export async function keepCard(db: Db, workspaceId: string, card: SavedCard, now: string): Promise<boolean> {
  const rows = await db.query(
    {
      text: `
        update saved_card set payment_method = $3, brand = $4, last4 = $5, exp_month = $6, exp_year = $7, updated_at = $8
        where workspace_id = $1 and customer = $2 returning 1`,
    },
    [workspaceId, card.customer, card.paymentMethod, card.brand, card.last4, card.expMonth, card.expYear, now],
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
