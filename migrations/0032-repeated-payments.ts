import { Migration } from "@mikro-orm/migrations";

/**
 * A repeated payment gets the answer of the first one; an unknown outcome has its own schedule of questions; a charge
 * that comes after its purchase was given up can be refunded.
 */
export class RepeatedPayments extends Migration {
  override up(): void {
    this.addSql(`
      alter table purchase
        -- Keyed hashes: what was sent to pay with, and the card behind it as far as the processor names it.
        add column means_hash bytea,
        add column card_hash bytea,
        add column decline_reason text,
        add column decline_message text,
        -- The challenge that was offered in place of this purchase when it failed.
        add column next_challenge text,
        -- When the processor is asked next, and how often it was asked since the last news.
        add column ask_at timestamptz(3) not null default now(),
        add column asks integer not null default 0,
        -- From then on, a charge that the processor does not know was not made.
        add column give_up_at timestamptz(3),
        -- A charge that came after the purchase was given up and made again: the money has to go back, or went back.
        add column refund_owed_at timestamptz(3),
        add column refunded_at timestamptz(3),
        -- Written by the version before only.
        alter column asked_at set default now()`);
    this.addSql(`update purchase set ask_at = 'infinity' where state = 'failed'`);
    this.addSql(`create unique index purchase_next on purchase (next_challenge) where next_challenge is not null`);
    this.addSql(`create index purchase_due on purchase (ask_at)
      where state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded
         or (refund_owed_at is not null and refunded_at is null) or (state = 'failed' and decline_code is null)`);
  }
}
