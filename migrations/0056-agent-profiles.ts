import { Migration } from "@mikro-orm/migrations";

/** Gives agents that exist already an owner and a handle, and marks those without a live key. */
export class AgentProfiles extends Migration {
  override up(): void {
    // The creator of an agent's first key owns it, like the person who approved a client.
    this.addSql(`
      update app_user u set agent_owner_id = (
        select k.created_by from api_key k where k.user_id = u.id order by k.created_at, k.id limit 1)
      where u.kind = 'agent' and u.agent_owner_id is null`);
    this.addSql(`
      update agent a set handle = (
        select coalesce(nullif(trim('-' from left(regexp_replace(lower(u.name), '[^a-z0-9]+', '-', 'g'), 20)), ''), 'agent')
        from app_user u where u.id = a.user_id) || '-' || right(a.user_id::text, 12)
      where a.handle is null`);
    this.addSql(`
      update agent a set revoked_at = now()
      where not exists (
        select from api_key k where k.user_id = a.user_id and k.revoked_at is null
          and (k.expires_at is null or k.expires_at > now()))`);
    this.addSql(`
      create index workflow_stage_assignee on workflow_stage (assignee_user_id)
      where state = 'active' and assignee_user_id is not null`);
    this.addSql(`create index agent_connected on agent (user_id) where revoked_at is null`);
  }
}
