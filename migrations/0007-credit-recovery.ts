import { Migration } from "@mikro-orm/migrations";

/**
 * Notifications about a payment are counted until the processor is asked about it. An account records what its month
 * has granted.
 */
export class CreditRecovery extends Migration {
  override up(): void {
    this.addSql(`
      alter table purchase
        -- Number of notifications received, and of those received before the processor was last asked.
        add column notices integer not null default 0,
        add column notices_heeded integer not null default 0,
        -- The payment that the last notification named.
        add column noticed_payment text`);
    this.addSql(`drop index purchase_unsettled`);
    this.addSql(`create index purchase_unsettled on purchase (asked_at)
      where state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null) or notices > notices_heeded`);
    // The sum of grants, not a balance: a grant without a cap is filled up repeatedly.
    this.addSql(`alter table credit_account add column included_granted bigint not null default 0`);
    this.addSql(`
      update credit_account a set included_granted = (
        select coalesce(sum(e.amount), 0) from credit_entry e
        where e.workspace_id = a.workspace_id and e.kind = 'included' and e.amount > 0
          and e.created_at >= a.included_month::timestamp at time zone 'UTC')
      where included_month is not null`);
  }
}
