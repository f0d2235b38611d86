import { Migration } from "@mikro-orm/migrations";

/** Counts for the limits on mail that strangers cause. */
export class Strangers extends Migration {
  override up(): void {
    // The requester's network: an IPv4 address, or the first 64 bits of an IPv6 address.
    this.addSql(`alter table sign_in add column network text`);
    this.addSql(`create index sign_in_of_network on sign_in (network, created_at)`);
    // False: the address had too many invites that day, so this one is shown only after sign-in.
    this.addSql(`alter table invite add column mailed boolean not null default true`);
  }
}
