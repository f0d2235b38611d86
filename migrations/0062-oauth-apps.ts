import { Migration } from "@mikro-orm/migrations";

/** OAuth apps: clients that an admin creates for one workspace. */
export class OauthApps extends Migration {
  override up(): void {
    this.addSql(`
      alter table oauth_client
        -- Null: the client registered itself, and any workspace may approve it.
        add column workspace_id uuid references workspace,
        add column created_by uuid references app_user,
        add column description text,
        add check ((workspace_id is null) = (created_by is null))`);
    this.addSql(`
      create index oauth_client_apps on oauth_client (workspace_id, created_at desc, id desc)
        where workspace_id is not null and revoked_at is null`);
    this.addSql(`
      create index api_key_grants on api_key (workspace_id, client_id) where kind = 'oauth' and revoked_at is null`);
  }
}
