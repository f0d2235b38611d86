import type { Db, Transaction } from "../ports.ts";
import type { Workspace } from "../rows.ts";
import type { SignedReceipt } from "./receipts.ts";

export type PurchaseState = "processing" | "pending" | "succeeded" | "failed";

export type Purchase = {
  id: string;
  workspace_id: string;
  challenge_id: string;
  key_id: string;
  user_id: string;
  pack: string;
  credits: number;
  amount_cents: number;
  payment_type: "shared_payment_token" | "saved_card";
  state: PurchaseState;
  payment_intent: string | null;
  decline_code: string | null;
  receipt: SignedReceipt | null;
  settled_at: string | null;
  granted_at: string | null;
  version: number;
  /** Taken in, and how many there were when the processor was last asked. */
  notices: number;
  notices_heeded: number;
  noticed_payment: string | null;
  refunded_credits: number;
  disputed_credits: number;
  body_hash: Buffer | null;
  created_at: string;
};

const columns = `
  id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type, state, payment_intent,
  decline_code, receipt, settled_at, granted_at, version, notices, notices_heeded, noticed_payment, refunded_credits,
  disputed_credits, body_hash, created_at`;

export type Idempotency = { path: string; key: string; bodyHash: Buffer };

export async function insertPurchase(
  tx: Transaction,
  purchase: Pick<
    Purchase,
    "id" | "workspace_id" | "challenge_id" | "key_id" | "user_id" | "pack" | "credits" | "amount_cents" | "payment_type"
  >,
  idempotency: Idempotency | null,
  now: string,
): Promise<void> {
  await tx.query(
    {
      name: "insert_purchase",
      text: `
        insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                              state, idempotency_path, idempotency_key, body_hash, asked_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'processing', $10, $11, $12, $13, $13, $13)`,
    },
    [
      purchase.id,
      purchase.workspace_id,
      purchase.challenge_id,
      purchase.key_id,
      purchase.user_id,
      purchase.pack,
      purchase.credits,
      purchase.amount_cents,
      purchase.payment_type,
      idempotency?.path ?? null,
      idempotency?.key ?? null,
      idempotency?.bodyHash ?? null,
      now,
    ],
  );
}

export async function findPurchase(db: Db, workspaceId: string, id: string): Promise<Purchase | null> {
  const [row] = await db.query<Purchase>(
    { name: "find_purchase", text: `select ${columns} from purchase where workspace_id = $1 and id = $2` },
    [workspaceId, id],
  );
  return row ?? null;
}

/** What an earlier request with this key bought, unless that failed. */
export async function findByIdempotency(
  db: Db,
  workspaceId: string,
  keyId: string,
  path: string,
  key: string,
): Promise<Purchase | null> {
  const [row] = await db.query<Purchase>(
    {
      text: `
        select ${columns} from purchase
        where workspace_id = $1 and key_id = $2 and idempotency_path = $3 and idempotency_key = $4 and state <> 'failed'`,
    },
    [workspaceId, keyId, path, key],
  );
  return row ?? null;
}

export async function findByChallenge(db: Db, workspaceId: string, challengeId: string): Promise<Purchase | null> {
  const [row] = await db.query<Purchase>(
    { text: `select ${columns} from purchase where workspace_id = $1 and challenge_id = $2` },
    [workspaceId, challengeId],
  );
  return row ?? null;
}

/** A purchase in hand, and when its transaction began: after the charge, unlike the call that makes it. */
export type Held = Purchase & { held_at: string };

/** The purchase, held until the transaction ends. */
export async function lockPurchase(tx: Transaction, workspaceId: string, id: string): Promise<Held | null> {
  const [row] = await tx.query<Held>(
    {
      text: `select ${columns}, now()::timestamptz(3) as held_at from purchase where workspace_id = $1 and id = $2 for update`,
    },
    [workspaceId, id],
  );
  return row ?? null;
}

export type PurchaseChange = Partial<
  Pick<
    Purchase,
    | "state"
    | "payment_intent"
    | "decline_code"
    | "receipt"
    | "settled_at"
    | "granted_at"
    | "refunded_credits"
    | "disputed_credits"
  >
>;

export async function updatePurchase(
  tx: Transaction,
  workspaceId: string,
  id: string,
  change: PurchaseChange,
  now: string,
): Promise<void> {
  const names = Object.keys(change);
  const sets = names.map((name, index) => `${name} = $${index + 4}`);
  await tx.query(
    {
      text: `update purchase set ${[...sets, "updated_at = $3", "version = version + 1"].join(", ")} where workspace_id = $1 and id = $2`,
    },
    [
      workspaceId,
      id,
      now,
      ...Object.values(change).map((value) =>
        value !== null && typeof value === "object" ? JSON.stringify(value) : value,
      ),
    ],
  );
}

/** A purchase that was taken for failed gave its Idempotency-Key free; whoever took it meanwhile keeps it. */
export async function leaveTakenKey(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  await tx.query(
    {
      text: `
        update purchase p set idempotency_key = null
        where workspace_id = $1 and id = $2 and exists (
          select 1 from purchase o
          where o.key_id = p.key_id and o.idempotency_path = p.idempotency_path
            and o.idempotency_key = p.idempotency_key and o.state <> 'failed' and o.id <> p.id)`,
    },
    [workspaceId, id],
  );
}

/** Purchases of a workspace that were declined lately, and those whose charge was begun lately and has no outcome yet. */
export async function countTries(
  tx: Transaction,
  workspaceId: string,
  { declinedSince, chargingSince }: { declinedSince: string; chargingSince: string },
): Promise<{ declined: number; charging: number }> {
  const [row] = await tx.query<{ declined: number; charging: number }>(
    {
      text: `
        select
          (select count(*) from purchase
           where workspace_id = $1 and state = 'failed' and decline_code is not null
             and updated_at > $2::timestamptz) as declined,
          (select count(*) from purchase
           where workspace_id = $1 and state = 'processing' and created_at > $3::timestamptz) as charging`,
    },
    [workspaceId, declinedSince, chargingSince],
  );
  return row!;
}

/**
 * Purchases whose outcome nobody stored, and those with a notice that nobody has asked about; each is answered again
 * only after the patience has passed once more.
 */
export async function takeUnsettled(
  db: Db,
  now: string,
  askedBefore: string,
  most: number,
): Promise<{ id: string; workspace_id: string }[]> {
  return db.query(
    {
      text: `
        update purchase set asked_at = $1::timestamptz where id in (
          select id from purchase
          where (state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded)
            and asked_at < $2::timestamptz
          order by asked_at limit $3 for update skip locked)
        returning id, workspace_id`,
    },
    [now, askedBefore, most],
  );
}

/** Whose purchase it is, where nobody called. */
export async function workspaceOf(db: Db, workspaceId: string): Promise<Pick<Workspace, "id" | "slug" | "plan">> {
  const [row] = await db.query<Workspace>({ text: "select id, slug, plan from workspace where id = $1" }, [
    workspaceId,
  ]);
  return row!;
}
