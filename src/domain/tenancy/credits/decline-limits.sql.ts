import type { Transaction } from "../../kernel/ports/ports.ts";

/** A payment that was declined recently, or whose charge is in progress and may still be declined. */
export type PaymentAttempt = {
  id: string;
  key_id: string;
  payment_type: "shared_payment_token" | "saved_card";
  means_hash: Buffer | null;
  card_hash: Buffer | null;
  declined: boolean;
  at: string;
};

/**
 * Returns the workspace's declined payments and charges in progress since two times, oldest first. The limits keep
 * their number small.
 */
export async function readRecentAttempts(
  tx: Transaction,
  workspaceId: string,
  { declinedSince, chargingSince }: { declinedSince: string; chargingSince: string },
): Promise<PaymentAttempt[]> {
  return tx.query<PaymentAttempt>(
    {
      text: `
        select id, key_id, payment_type, means_hash, card_hash, true as declined, updated_at as at
        from purchase
        where workspace_id = $1 and state = 'failed' and decline_code is not null and updated_at > $2::timestamptz
        union all
        select id, key_id, payment_type, means_hash, card_hash, false, created_at
        from purchase
        where workspace_id = $1 and state = 'processing' and created_at > $3::timestamptz
        order by at limit 1000`,
    },
    [workspaceId, declinedSince, chargingSince],
  );
}
