import { isInProjects, mayGet } from "./may-get.sql.ts";

/**
 * SQL: common table expressions that write the first delivery of each message, for events of one workspace.
 * They read `happened` (the events' columns, with `place`, their order), `counted` (`first`, the number before the first
 * event) and the workspace's id as $1. They define `written`, the new deliveries, and `test`, the ids of tests, including
 * existing ones. They wait for no lock, because webhooks are only read.
 */
export const matchingCtes = `
  -- issue.link.created is asked for by that name, by issue.link.*, issue.* and *. A test is for the one webhook it names.
  -- A webhook is not told of its own end, nor of what was before it.
  fitting as (
    select h.id as event_id, h.type, h.place, h.type = 'webhook.test' as is_test, w.id as webhook_id,
           w.disabled_at is not null and h.type <> 'webhook.test' as disabled
    from happened h
    join webhook w on w.workspace_id = h.workspace_id and w.deleted_at is null
    cross join lateral (select string_to_array(h.type, '.') as words) t
    where case
      when h.type = 'webhook.test' then w.id::text = h.context ->> 'webhook_id'
      -- An action names a webhook, which gets the event whatever its event types.
      when w.id::text = h.context ->> 'webhook_id' then ${isInProjects("h", "w")} and ${mayGet("h", "w")}
      else w.created_at <= h.created_at
        and ${isInProjects("h", "w")}
        and ${mayGet("h", "w")}
        and w.event_types && (array['*', h.type] || array(
          select array_to_string(t.words[1:n], '.') || '.*' from generate_series(1, cardinality(t.words) - 1) n))
        and not (h.type = 'webhook.disabled' and h.data ->> 'id' = w.id::text)
      end
  ),
  written as (
    insert into webhook_delivery
      (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, final, due_at, sequence, created_at)
    select uuidv7(), $1, f.webhook_id, f.event_id, f.type, 1, case when f.disabled then 'skipped' else 'pending' end,
           f.disabled, case when not f.disabled then now() end, case when not f.is_test then c.first + f.place end, now()
    from (select * from fitting order by place) f, counted c
    on conflict (webhook_id, delivery_id, attempt) do nothing
    returning id, webhook_id, event_type, state
  ),
  test as (
    select id, webhook_id from written where event_type = 'webhook.test'
    union
    select d.id, d.webhook_id from fitting f
    join webhook_delivery d on d.webhook_id = f.webhook_id and d.delivery_id = f.event_id and d.attempt = 1
    where f.is_test
  )`;
