import type { Db, Transaction } from "../../kernel/ports/ports.ts";

export type ChallengeState = "issued" | "processing" | "consumed" | "failed" | "expired";

export type Challenge = {
  id: string;
  workspace_id: string;
  key_id: string;
  pack: string;
  credits: number;
  amount_cents: number;
  method: string;
  realm: string;
  request: string;
  digest: string | null;
  expires_at: string;
  state: ChallengeState;
};

export async function insertChallenge(db: Db, challenge: Challenge, now: string): Promise<void> {
  await db.query(
    {
      name: "insert_challenge",
      text: `
        insert into payment_challenge (id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request,
                                       digest, expires_at, state, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'issued', $12)`,
    },
    [
      challenge.id,
      challenge.workspace_id,
      challenge.key_id,
      challenge.pack,
      challenge.credits,
      challenge.amount_cents,
      challenge.method,
      challenge.realm,
      challenge.request,
      challenge.digest,
      challenge.expires_at,
      now,
    ],
  );
}

export async function findChallenge(db: Db, workspaceId: string, id: string): Promise<Challenge | null> {
  const [row] = await db.query<Challenge>(
    {
      name: "find_challenge",
      text: `
        select id, workspace_id, key_id, pack, credits, amount_cents, method, realm, request, digest, expires_at, state
        from payment_challenge where workspace_id = $1 and id = $2`,
    },
    [workspaceId, id],
  );
  return row ?? null;
}

/**
 * Moves a challenge from `issued` to `processing`. Returns false if another call did it first or the challenge has
 * expired.
 */
export async function claimChallenge(tx: Transaction, workspaceId: string, id: string, now: string): Promise<boolean> {
  const rows = await tx.query(
    {
      name: "take_challenge",
      text: `
        update payment_challenge set state = 'processing'
        where workspace_id = $1 and id = $2 and state = 'issued' and expires_at > $3::timestamptz returning 1`,
    },
    [workspaceId, id, now],
  );
  return rows.length === 1;
}

export async function endChallenge(
  tx: Transaction,
  workspaceId: string,
  id: string,
  state: "consumed" | "failed",
): Promise<void> {
  await tx.query({ text: `update payment_challenge set state = $3 where workspace_id = $1 and id = $2` }, [
    workspaceId,
    id,
    state,
  ]);
}

/**
 * Expires unpaid challenges, at most 1,000 per call. Returns how many. The time is that of Postgres, so that a worker
 * whose clock is ahead expires none early.
 */
export async function expireChallenges(db: Db): Promise<number> {
  const rows = await db.query({
    text: `
      update payment_challenge set state = 'expired' where id in (
        select id from payment_challenge where state = 'issued' and expires_at <= now()
        limit 1000 for update skip locked) returning 1`,
  });
  return rows.length;
}

/**
 * Deletes expired challenges, at most 1,000 per call. A challenge that was tried stays with its purchase. Returns how
 * many were deleted.
 */
export async function deleteUnpaidChallenges(db: Db, before: string): Promise<number> {
  const rows = await db.query(
    {
      text: `
        delete from payment_challenge where id in (
          select id from payment_challenge where state = 'expired' and expires_at < $1::timestamptz
          limit 1000 for update skip locked) returning 1`,
    },
    [before],
  );
  return rows.length;
}
