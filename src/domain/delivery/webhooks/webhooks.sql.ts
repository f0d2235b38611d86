import { IS_LIVE_KEY, isAdminsCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { WebhookRow } from "./view.ts";

// A webhook whose key has ended, or whose key's person is no longer an admin, shows as disabled at once. Nothing is sent to it.
const columns = `
  id, url, event_types, secret_prefix,
  case when ${isAdminsCredentialLive("webhook")} then disabled_at else coalesce(disabled_at, (
    select least(k.revoked_at, k.expires_at) from api_key k where k.id = webhook.key_id and not (${IS_LIVE_KEY})), updated_at) end as disabled_at,
  last_delivery_at, last_delivery_status, created_by, created_at,
  case when disabled_at is null and not ${isAdminsCredentialLive("webhook")} then 'credential_ended' else disabled_reason end
    as disabled_reason, description, project_ids, headers, consecutive_failures, failing_since, failing_notified_at, last_success_at,
  secret_rotated_at, previous_secret_expires_at, updated_at`;

/** An address that actions send to is a webhook of its automation or workflow. Lists and limits leave it out. */
const LISTED = "owner_id is null and deleted_at is null";

/** Which webhooks: all of a workspace or, for a key limited to projects, those limited to no other projects. */
export type Reach = { workspaceId: string; projectIds: string[] | null };

const WITHIN = `workspace_id = $1 and ${LISTED} and ($2::uuid[] is null or project_ids <@ $2)`;

/** Newest first. */
export function listWebhooks(db: Db, reach: Reach, after: Cursor | null, limit: number): Promise<WebhookRow[]> {
  const paged = after ? `and (created_at, id) < ($4::timestamptz, $5::uuid)` : "";
  return db.query<WebhookRow>(
    { text: `select ${columns} from webhook where ${WITHIN} ${paged} order by created_at desc, id desc limit $3` },
    [reach.workspaceId, reach.projectIds, limit, ...(after ?? [])],
  );
}

export async function findWebhook(db: Db, workspaceId: string, id: string): Promise<WebhookRow | null> {
  const text = `select ${columns} from webhook where workspace_id = $1 and id = $2 and deleted_at is null`;
  const [row] = await db.query<WebhookRow>({ text }, [workspaceId, id]);
  return row ?? null;
}

export async function countWebhooks(db: Db, workspaceId: string): Promise<{ all: number; enabled: number }> {
  const [counts] = await db.query<{ all: number; enabled: number }>(
    {
      text: `select count(*) as all, count(*) filter (where disabled_at is null) as enabled
             from webhook where workspace_id = $1 and ${LISTED}`,
    },
    [workspaceId],
  );
  return counts!;
}
