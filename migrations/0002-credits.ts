import { Migration } from "@mikro-orm/migrations";

/** Payment challenges, purchases, the monthly grant, saved cards. */
export class Credits extends Migration {
  override up(): void {
    this.addSql(`
      alter table credit_account
        add column included_balance integer not null default 0,
        -- First day of the month whose grant the balance holds; null before the first.
        add column included_month date,
        -- Set while the balance is below the mark for which a warning was sent.
        add column low_since timestamptz(3)`);
    this.addSql(`
      alter table credit_entry
        add column purchase_id uuid,
        add column payment_intent text`);
    // Whatever runs twice or concurrently: a payment is granted once.
    this.addSql(`create unique index credit_entry_granted on credit_entry (payment_intent) where kind = 'purchase'`);
    this.addSql(`create index credit_entry_spent on credit_entry (workspace_id, created_at) where kind = 'spend'`);

    // The terms of a requested payment. It leaves 'issued' once, in one step.
    this.addSql(`
      create table payment_challenge (
        id text primary key,
        workspace_id uuid not null references workspace,
        key_id uuid not null,
        pack text not null,
        credits integer not null,
        amount_cents integer not null,
        method text not null,
        realm text not null,
        request text not null,
        digest text,
        expires_at timestamptz(3) not null,
        state text not null default 'issued' check (state in ('issued', 'processing', 'consumed', 'failed', 'expired')),
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index payment_challenge_open on payment_challenge (expires_at) where state = 'issued'`);
    this.addSql(`create index payment_challenge_over on payment_challenge (expires_at) where state = 'expired'`);
    this.addSql(`create index payment_challenge_workspace on payment_challenge (workspace_id)`);

    this.addSql(`
      create table purchase (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        challenge_id text not null unique references payment_challenge,
        key_id uuid not null,
        user_id uuid not null references app_user,
        pack text not null,
        credits integer not null,
        amount_cents integer not null,
        payment_type text not null check (payment_type in ('shared_payment_token', 'saved_card')),
        -- processing: the charge is in progress or its outcome was lost; pending: the processor is still working.
        state text not null check (state in ('processing', 'pending', 'succeeded', 'failed')),
        payment_intent text unique,
        decline_code text,
        -- The signed receipt as it was sent.
        receipt jsonb,
        settled_at timestamptz(3),
        granted_at timestamptz(3),
        -- Increases with every change, so that a processor's reply from before a change is ignored after it.
        version integer not null default 0,
        refunded_credits integer not null default 0,
        disputed_credits integer not null default 0,
        idempotency_path text,
        idempotency_key text,
        body_hash bytea,
        asked_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(`create index purchase_list on purchase (workspace_id, id desc)`);
    this.addSql(`create index purchase_unsettled on purchase (asked_at)
      where state in ('processing', 'pending') or (state = 'succeeded' and granted_at is null)`);
    this.addSql(`create index purchase_declined on purchase (workspace_id, updated_at) where state = 'failed'`);
    this.addSql(`
      create unique index purchase_idempotency on purchase (key_id, idempotency_path, idempotency_key)
      where idempotency_key is not null and state <> 'failed'`);

    // Notifications of the processor that were processed, so that repeats change nothing.
    this.addSql(`
      create table processor_notice (
        id text primary key,
        type text not null,
        received_at timestamptz(3) not null
      )`);

    this.addSql(`
      create table saved_card (
        workspace_id uuid primary key references workspace,
        customer text not null,
        payment_method text,
        brand text,
        last4 text,
        exp_month integer,
        exp_year integer,
        updated_at timestamptz(3) not null
      )`);
  }
}
