import type { EventType } from "../../src/domain/event-catalogue.ts";
import { newId } from "../../src/domain/kernel/ids.ts";
import { COMMITTED } from "../../src/domain/kernel/ports/ports.ts";
import { newWebhookSecret } from "../../src/domain/kernel/secrets.ts";
import type { World } from "./world.ts";

type Columns = Record<string, unknown>;

/** Inserts a webhook without the API, with any state and for any receiver. */
export async function addWebhook({ app, workspace, owner, sql }: World, columns: Columns & { url: string }) {
  const secret = newWebhookSecret();
  const row: Columns = {
    id: newId(),
    workspace_id: workspace.id,
    event_types: ["*"],
    secret_sealed: app.resources.ports.sealer.seal(secret),
    secret_prefix: secret.slice(0, 11),
    created_by: owner.userId,
    created_at: new Date().toISOString(),
    updated_at: new Date().toISOString(),
    ...columns,
  };
  await insert(sql, "webhook", row);
  return { id: row.id as string, secret };
}

/**
 * Records events as a committed change does, in one statement, and wakes the relay. Returns their ids, oldest first.
 * Without `data`, each event concerns a different object.
 */
export async function emit(
  { app, workspace, sql }: World,
  type: EventType,
  { count = 1, ...columns }: Columns & { count?: number } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const row = { data: null, previous: null, changed: null, context: null, project_id: null, ...columns };
  await sql(
    `with written as (
       insert into event (id, workspace_id, type, actor_id, actor_kind, actor_name, cause, created_at,
                          data, previous, changed, context, project_id)
       select id, $2, $3, null, 'user', 'Ada', '{}', now(), coalesce($4, jsonb_build_object('id', id)), $5, $6, $7, $8
       from unnest($1::uuid[]) as id
       returning id)
     insert into outbox (event_id, workspace_id, type) select id, $2, $3 from written`,
    [ids, workspace.id, type, row.data, row.previous, row.changed, row.context, row.project_id],
  );
  app.resources.ports.publish(COMMITTED);
  return ids;
}

export type DeliveryRow = {
  id: string;
  delivery_id: string;
  event_type: string;
  attempt: number;
  state: string;
  status: number;
  error: string;
  final: boolean;
  due_at: string | null;
  lease_until: string | null;
  request_headers: Record<string, string> | null;
  response_body: string | null;
  created_at: string;
};

/** A webhook's attempts, oldest first. */
export const deliveriesOf = ({ sql }: World, webhook: { id: string }): Promise<DeliveryRow[]> =>
  sql<DeliveryRow>("select * from webhook_delivery where webhook_id = $1 order by delivery_id, attempt", [webhook.id]);

// biome-ignore lint/suspicious/noExplicitAny: a row of any column
export async function webhookRow({ sql }: World, webhook: { id: string }): Promise<any> {
  const [row] = await sql("select * from webhook where id = $1", [webhook.id]);
  return row;
}

async function insert(sql: World["sql"], table: string, row: Columns): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  await sql(`insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`, Object.values(row));
}
