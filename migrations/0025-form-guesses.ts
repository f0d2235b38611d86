import { Migration } from "@mikro-orm/migrations";

/** Attempts at passwords of public forms, by network. */
export class FormGuesses extends Migration {
  override up(): void {
    this.addSql(`
      create table form_guess (
        form_id uuid not null references form on delete cascade,
        workspace_id uuid not null references workspace,
        -- An IPv4 address, or the first 48 bits of an IPv6 address; empty for all networks together.
        network text not null,
        -- Wrong attempts, and attempts in progress.
        tries integer not null,
        since timestamptz(3) not null,
        last_at timestamptz(3) not null,
        -- No attempts are allowed before then.
        next_at timestamptz(3) not null,
        succeeded_at timestamptz(3),
        primary key (form_id, network)
      )`);
    this.addSql(`create index form_guess_age on form_guess (last_at)`);
  }
}
