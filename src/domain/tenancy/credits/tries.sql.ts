import type { Transaction } from "../../kernel/ports/ports.ts";

/** A payment that was declined lately, or whose charge is under way and may yet be declined. */
export type Try = {
  id: string;
  key_id: string;
  payment_type: "shared_payment_token" | "saved_card";
  means_hash: Buffer | null;
  card_hash: Buffer | null;
  declined: boolean;
  at: string;
};

/** The tries of a workspace since two instants, oldest first. The limits keep them few. */
export async function readTries(
  tx: Transaction,
  workspaceId: string,
  { declinedSince, chargingSince }: { declinedSince: string; chargingSince: string },
): Promise<Try[]> {
  return tx.query<Try>(
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
