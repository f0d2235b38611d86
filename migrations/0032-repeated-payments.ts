import { Migration } from "@mikro-orm/migrations";

/**
 * A repeated payment gets the reply of the first one. An unknown outcome has its own schedule of checks. A charge
 * that appears after its purchase was given up can be refunded.
 */
export class RepeatedPayments extends Migration {
  override up(): void {
    this.addSql(`
      alter table purchase
        -- Keyed hashes of the payment credential, and of the card behind it as far as the processor identifies it.
        add column means_hash bytea,
        add column card_hash bytea,
        add column decline_reason text,
        add column decline_message text,
        -- The challenge that was offered to replace this purchase when it failed.
        add column next_challenge text,
        -- When the processor is asked next, and how often it was asked since the last change.
        add column ask_at timestamptz(3) not null default now(),
        add column asks integer not null default 0,
        -- From then on, a charge unknown to the processor counts as not made.
        add column give_up_at timestamptz(3),
        -- A charge that appeared after the purchase was given up and made again: the money must be refunded, or was
        -- refunded.
        add column refund_owed_at timestamptz(3),
        add column refunded_at timestamptz(3),
        -- Written only by the previous version.
        alter column asked_at set default now()`);
    this.addSql(`update purchase set ask_at = 'infinity' where state = 'failed'`);
    this.addSql(`create unique index purchase_next on purchase (next_challenge) where next_challenge is not null`);
    this.addSql(`create index purchase_due on purchase (ask_at)
      where state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded
         or (refund_owed_at is not null and refunded_at is null) or (state = 'failed' and decline_code is null)`);
  }
}
