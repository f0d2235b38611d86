import { Migration } from "@mikro-orm/migrations";

/** Sign-in, sessions, mail, invites, OAuth clients and their grants. */
export class People extends Migration {
  override up(): void {
    // A browser in which a person is signed in. The cookie is stored as its hash.
    this.addSql(`
      create table session (
        id uuid primary key,
        hash bytea not null unique,
        user_id uuid not null references app_user,
        address text,
        user_agent text,
        created_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      )`);
    this.addSql(`create index session_of_user on session (user_id)`);
    this.addSql(`create index session_over on session (expires_at)`);

    // A sign-in request, for a known or new address: one link and one code, in one mail.
    this.addSql(`
      create table sign_in (
        id uuid primary key,
        email text not null,
        link_hash bytea not null unique,
        -- Six digits are too few for a hash to hide them, so the code is sealed.
        code_sealed text not null,
        -- The browser that requested it. Only this browser may use the code.
        browser_hash bytea not null,
        -- A path of this service to redirect to.
        return_to text,
        wrong_codes integer not null default 0,
        used_at timestamptz(3),
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index sign_in_over on sign_in (expires_at)`);

    // Mail to send, at least once. Its content is sealed, because it contains links that give access, and is deleted
    // once it is sent.
    this.addSql(`
      create table mail (
        id uuid primary key,
        workspace_id uuid references workspace,
        kind text not null,
        recipient text not null,
        content_sealed text,
        state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed')),
        attempts integer not null default 0,
        lease_until timestamptz(3),
        error text,
        -- After this time it is useless, because its link has expired.
        expires_at timestamptz(3),
        sent_at timestamptz(3),
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index mail_age on mail (created_at)`);
    // Mail to a person who is signing in belongs to no workspace.
    this.addSql(`alter table outbox alter column workspace_id drop not null`);
    this.addSql(`alter table reaction alter column workspace_id drop not null`);

    this.addSql(`
      create table invite (
        id uuid primary key,
        workspace_id uuid not null references workspace,
        email text not null,
        role text not null check (role in ('admin', 'member', 'viewer', 'guest')),
        project_ids uuid[] not null default '{}',
        message text,
        token_hash bytea not null unique,
        invited_by uuid not null references app_user,
        replaced_invite_id uuid,
        accepted_at timestamptz(3),
        accepted_by uuid references app_user,
        revoked_at timestamptz(3),
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index invite_list on invite (workspace_id, created_at desc, id desc)
      where accepted_at is null and revoked_at is null`);
    this.addSql(`create unique index invite_live on invite (workspace_id, lower(email))
      where accepted_at is null and revoked_at is null`);

    this.addSql(`create index invite_over on invite (expires_at)`);
    this.addSql(`create index invite_sent_by on invite (invited_by, created_at)`);
    this.addSql(`create index invite_sent_to on invite (lower(email), created_at)`);
    this.addSql(`create index member_list on member (workspace_id, joined_at desc, user_id desc)`);
    this.addSql(`create index invite_by on invite (workspace_id, invited_by)
      where accepted_at is null and revoked_at is null`);

    // Registered programs. The provider reads their metadata.
    this.addSql(`
      create table oauth_client (
        id text primary key,
        name text not null,
        metadata jsonb not null,
        -- Slug of the preferred workspace. It is not looked up until a member of it approves.
        workspace_slug text,
        approved_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) not null
      )`);
    this.addSql(`create index oauth_client_unapproved on oauth_client (created_at) where approved_at is null`);

    // Records of the OAuth provider: codes, tokens, grants, sessions and interactions. Their ids are secrets and
    // stored as hashes; the rest is sealed.
    this.addSql(`
      create table oauth_record (
        model text not null,
        hash bytea not null,
        grant_id uuid,
        payload_sealed text not null,
        -- The scopes of an access token, which may be fewer than those of its grant.
        scopes text[],
        consumed_at timestamptz(3),
        expires_at timestamptz(3),
        created_at timestamptz(3) not null,
        primary key (model, hash)
      )`);
    this.addSql(`create index oauth_record_grant on oauth_record (grant_id) where grant_id is not null`);
    this.addSql(`create index oauth_record_over on oauth_record (expires_at)`);

    // A grant is a key of kind oauth whose secrets are its access tokens, so that one query checks all credentials.
    this.addSql(`
      alter table api_key
        alter column hash drop not null,
        add column client_id text,
        add check ((kind = 'oauth') = (hash is null))`);
    this.addSql(`create index api_key_created_by on api_key (created_by)`);
    this.addSql(`create index api_key_client on api_key (client_id) where client_id is not null`);

    // If the same person approves the same client again, it stays the same agent.
    this.addSql(`
      alter table app_user
        add column agent_owner_id uuid references app_user,
        add column agent_client_id text`);
    this.addSql(`create unique index app_user_agent_of_client
      on app_user (agent_workspace_id, agent_owner_id, agent_client_id) where agent_client_id is not null`);
  }
}
