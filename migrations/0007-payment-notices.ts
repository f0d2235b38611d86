import { Migration } from "@mikro-orm/migrations";

/** Notices about a payment count until somebody has asked about it since. */
export class PaymentNotices extends Migration {
  override up(): void {
    this.addSql(`
      alter table purchase
        -- Notices taken in, and how many of them were there when it was last asked about.
        add column notices integer not null default 0,
        add column notices_heeded integer not null default 0,
        -- The payment that the last notice named.
        add column noticed_payment text`);
    this.addSql(`drop index purchase_unsettled`);
    this.addSql(`create index purchase_unsettled on purchase (asked_at)
      where state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded`);
  }
}
