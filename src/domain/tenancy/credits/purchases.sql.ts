import type { DeclineReason } from "../../kernel/ports/card-processor.ts";
import type { Db, Transaction } from "../../kernel/ports/ports.ts";
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
  /** Keyed hash of the token or saved card; null for purchases from before it was stored. */
  means_hash: Buffer | null;
  decline_code: string | null;
  decline_reason: DeclineReason | null;
  decline_message: string | null;
  /** The challenge that may be paid instead of this failed purchase. */
  next_challenge: string | null;
  receipt: SignedReceipt | null;
  settled_at: string | null;
  granted_at: string | null;
  /** From this time on, a charge that the processor does not know counts as not made. */
  give_up_at: string | null;
  /** Set if the charge was made after another purchase had replaced this one, so that it has to be refunded. */
  refund_owed_at: string | null;
  refunded_at: string | null;
  version: number;
  /** Number of notices received, and the number of them that a check has covered. */
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
  means_hash, decline_code, decline_reason, decline_message, next_challenge, receipt, settled_at, granted_at, give_up_at,
  refund_owed_at, refunded_at, version, notices, notices_heeded, noticed_payment, refunded_credits, disputed_credits,
  body_hash, created_at`;

/** The previous version compares the hash. This version compares the pack and the credits. */
export type Idempotency = { path: string; key: string; bodyHash: Buffer };

export type NewPurchase = Pick<
  Purchase,
  "id" | "workspace_id" | "challenge_id" | "key_id" | "user_id" | "pack" | "credits" | "amount_cents" | "payment_type"
> & {
  means_hash: Buffer;
  /** Hash of the card, if the card is known before the charge. */
  card_hash: Buffer | null;
  /** Time of the first check, in case the charge's own call does not return an outcome. */
  ask_at: string;
  give_up_at: string;
};

export async function insertPurchase(
  tx: Transaction,
  purchase: NewPurchase,
  idempotency: Idempotency | null,
  now: string,
): Promise<void> {
  await tx.query(
    {
      name: "insert_purchase",
      text: `
        insert into purchase (id, workspace_id, challenge_id, key_id, user_id, pack, credits, amount_cents, payment_type,
                              state, means_hash, card_hash, ask_at, give_up_at, idempotency_path, idempotency_key,
                              body_hash, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'processing', $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
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
      purchase.means_hash,
      purchase.card_hash,
      purchase.ask_at,
      purchase.give_up_at,
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

/** Returns the purchase of an earlier request with this Idempotency-Key, unless it failed. */
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

/** Returns the failed purchase that this challenge was offered for. */
export async function findReplaced(db: Db, workspaceId: string, challengeId: string): Promise<Purchase | null> {
  const [row] = await db.query<Purchase>(
    { text: `select ${columns} from purchase where workspace_id = $1 and next_challenge = $2` },
    [workspaceId, challengeId],
  );
  return row ?? null;
}

/**
 * Stores the challenge that is offered instead of a failed purchase, unless another call has stored one since the
 * purchase was read. Returns the id of the stored challenge.
 */
export async function storeNextChallenge(
  db: Db,
  { id, workspace_id, next_challenge }: Purchase,
  challengeId: string,
): Promise<string> {
  const [row] = await db.query<{ next_challenge: string }>(
    {
      text: `
        update purchase set next_challenge = case when next_challenge is not distinct from $4 then $3 else next_challenge end
        where workspace_id = $1 and id = $2 returning next_challenge`,
    },
    [workspace_id, id, challengeId, next_challenge],
  );
  return row!.next_challenge;
}

/** A purchase whose row is locked. `locked_at` is when the transaction began, which is after the charge. */
export type LockedPurchase = Purchase & { locked_at: string };

/** Locks the purchase until the transaction ends. */
export async function lockPurchase(tx: Transaction, workspaceId: string, id: string): Promise<LockedPurchase | null> {
  const [row] = await tx.query<LockedPurchase>(
    {
      text: `select ${columns}, now()::timestamptz(3) as locked_at from purchase where workspace_id = $1 and id = $2 for update`,
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
    | "decline_reason"
    | "decline_message"
    | "receipt"
    | "settled_at"
    | "granted_at"
    | "refund_owed_at"
    | "refunded_at"
    | "refunded_credits"
    | "disputed_credits"
  >
> & { card_hash?: Buffer };

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
        value !== null && typeof value === "object" && !Buffer.isBuffer(value) ? JSON.stringify(value) : value,
      ),
    ],
  );
}

/** Removes the Idempotency-Key from a purchase that counted as failed, if another purchase has used the key since. */
export async function releaseReusedKey(tx: Transaction, workspaceId: string, id: string): Promise<void> {
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
