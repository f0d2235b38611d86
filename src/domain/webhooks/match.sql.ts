import { newId } from "../ids.ts";
import type { Database } from "../ports.ts";
import { FORGETFUL } from "../transaction-settings.ts";

export type EventRef = { workspace_id: string; event_id: string };
export type Fitting = {
  event_id: string;
  workspace_id: string;
  event_type: string;
  webhook_id: string;
  disabled: boolean;
};

// `issue.link.created` is asked for by that name, by `issue.link.*`, `issue.*` and `*`. A test is for the one hook it
// names. A hook is not told of its own end, nor of what was before it. An event outside any project is not for hooks that are limited to some.
const FITTING = {
  name: "webhook_fitting",
  text: `
    select e.id as event_id, e.workspace_id, e.type as event_type, w.id as webhook_id,
           w.disabled_at is not null and e.type <> 'webhook.test' as disabled
    from unnest($1::uuid[], $2::uuid[]) as asked(event_id, workspace_id)
    join event e on e.id = asked.event_id and e.workspace_id = asked.workspace_id
    join webhook w on w.workspace_id = e.workspace_id and w.deleted_at is null
    cross join lateral (select string_to_array(e.type, '.') as words) t
    where case
      when e.type = 'webhook.test' then w.id = (e.context ->> 'webhook_id')::uuid
      else w.created_at <= e.created_at
        and (w.project_ids is null or e.project_id = any(w.project_ids))
        and w.event_types && (array['*', e.type] || array(
          select array_to_string(t.words[1:n], '.') || '.*' from generate_series(1, cardinality(t.words) - 1) n))
        and not (e.type = 'webhook.disabled' and e.data ->> 'id' = w.id::text)
    end`,
};

/** The webhooks that events are for, whether enabled or not. */
export const fittingWebhooks = (database: Database, events: readonly EventRef[]): Promise<Fitting[]> =>
  database.query<Fitting>(FITTING, [events.map((event) => event.event_id), events.map((event) => event.workspace_id)]);

const INSERT = {
  name: "webhook_delivery_insert",
  text: `
    with wanted as (
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::boolean[])
        as d(id, workspace_id, webhook_id, event_id, event_type, disabled)
    ),
    inserted as (
      insert into webhook_delivery
        (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, final, due_at, created_at)
      select id, workspace_id, webhook_id, event_id, event_type, 1, case when disabled then 'skipped' else 'pending' end,
             disabled, case when not disabled then now() end, now()
      from wanted
      on conflict (webhook_id, delivery_id, attempt) do nothing
      returning id, webhook_id, delivery_id
    )
    select w.event_id, coalesce(i.id, d.id) as id
    from wanted w
    left join inserted i on i.webhook_id = w.webhook_id and i.delivery_id = w.event_id
    left join webhook_delivery d on d.webhook_id = w.webhook_id and d.delivery_id = w.event_id and d.attempt = 1
    where w.event_type = 'webhook.test'`,
};

/** Writes the first attempt of each message, once; answers the rows of tests, new or not, by the event's id. */
export async function insertDeliveries(database: Database, rows: readonly Fitting[]): Promise<Map<string, string>> {
  const values = [
    rows.map(() => newId()),
    rows.map((row) => row.workspace_id),
    rows.map((row) => row.webhook_id),
    rows.map((row) => row.event_id),
    rows.map((row) => row.event_type),
    rows.map((row) => row.disabled),
  ];
  const tests = await database.transaction(
    (tx) => tx.query<{ id: string; event_id: string }>(INSERT, values),
    FORGETFUL,
  );
  return new Map(tests.map((row) => [row.event_id, row.id]));
}
