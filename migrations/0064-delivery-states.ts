import { Migration } from "@mikro-orm/migrations";

/** Lists of a webhook's attempts in some states. */
export class DeliveryStates extends Migration {
  override up(): void {
    // The other states have indexes for what is due. Few attempts are in them at a time, so they are sorted.
    this.addSql(`
      create index webhook_delivery_ended on webhook_delivery (webhook_id, state, id desc)
      where state in ('retrying', 'succeeded', 'failed', 'skipped')`);
  }
}
