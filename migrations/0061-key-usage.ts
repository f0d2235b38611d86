import { Migration } from "@mikro-orm/migrations";

/** The calls of keys, by UTC day. */
export class KeyUsage extends Migration {
  override up(): void {
    // The rows of today change every few seconds. Free space lets a change stay on its page, without new index entries.
    this.addSql(`
      create table api_key_usage (
        key_id uuid not null references api_key on delete cascade,
        day date not null,
        requests integer not null,
        client_errors integer not null,
        server_errors integer not null,
        rate_limited integer not null,
        -- Requests by bucket of latency; see src/domain/kernel/latency-histogram.ts.
        latencies integer[] not null,
        -- The last slice of counts that was added. Earlier ones are in the row, or have no counts for it.
        last_slice bigint not null,
        primary key (key_id, day)
      ) with (fillfactor = 50)`);
    // For clean-up.
    this.addSql(`create index api_key_usage_day on api_key_usage (day)`);

    // Counts of web processes that stopped while Redis was away.
    this.addSql(`
      create table api_key_usage_flush (
        process uuid not null,
        number integer not null,
        usage jsonb not null,
        primary key (process, number)
      )`);
  }
}
