import type { Database } from "../ports.ts";
import { THROUGH_INDEXES } from "../transaction-settings.ts";

// Hops from one webhook to the next through the partial indexes, so that the cost is that of the webhooks that have
// something open, however much each has. A process that died leaves rows whose lease ends.
const OVERDUE = {
  name: "webhook_overdue",
  text: `
    with recursive waiting(id) as (
      (select webhook_id from webhook_delivery where state in ('pending', 'retrying') order by webhook_id, due_at limit 1)
      union all
      select (select d.webhook_id from webhook_delivery d
              where d.state in ('pending', 'retrying') and d.webhook_id > w.id order by d.webhook_id, d.due_at limit 1)
      from waiting w where w.id is not null
    ),
    leased(id) as (
      (select webhook_id from webhook_delivery where state = 'delivering' order by webhook_id, lease_until limit 1)
      union all
      select (select d.webhook_id from webhook_delivery d
              where d.state = 'delivering' and d.webhook_id > l.id order by d.webhook_id, d.lease_until limit 1)
      from leased l where l.id is not null
    )
    select w.id as webhook_id, w.workspace_id, least(open.rows, $1)::int as due
    from (select id from waiting union select id from leased) found
    join webhook w on w.id = found.id
    cross join lateral (
      select count(*) as rows from (
        (select 1 from webhook_delivery d
         where d.webhook_id = w.id and d.state in ('pending', 'retrying') and d.due_at <= now()
         order by d.due_at limit $1)
        union all
        (select 1 from webhook_delivery d
         where d.webhook_id = w.id and d.state = 'delivering' and d.lease_until <= now()
         order by d.lease_until limit $1)
      ) r
    ) open
    where open.rows > 0`,
};

/** The webhooks of all workspaces that have deliveries due, with how many, counted up to `most`. */
export const overdueWebhooks = (
  database: Database,
  most: number,
): Promise<{ webhook_id: string; workspace_id: string; due: number }[]> =>
  database.transaction((tx) => tx.query(OVERDUE, [most]), THROUGH_INDEXES);
