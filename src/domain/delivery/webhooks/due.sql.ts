import { isAlive } from "../../kernel/liveness.sql.ts";

/** SQL conditions: which deliveries of a webhook are due, and whether a live process serves it. */

// Times are rounded to milliseconds, and the timer of a retry may be ahead of the database's clock.
const SOON = "now() + interval '500 ms'";

/**
 * Due rows: retries, new messages, replayed ones, and rows that an earlier lease left behind. Tests are handled separately
 * (tests.sql.ts).
 * @param hook the webhook's id
 * @param left condition for rows that are marked as being delivered but that no process delivers
 */
export const dueRows = (hook: string, left: string, columns: string, most: number): string => `
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'retrying' and due_at <= ${SOON}
   order by due_at limit ${most})
  union all
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'pending' and event_type <> 'webhook.test' and not replayed
   order by sequence nulls first limit ${most})
  union all
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'pending' and replayed
   order by sequence nulls first limit ${most})
  union all
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'delivering' and event_type <> 'webhook.test'
     and case when turn is null then lease_until <= now() else ${left} end
   order by lease_until limit ${most})`;

/** @param served column that names the process that has leased the webhook */
export const isUnserved = (served: string): string => `(${served} is null or not ${isAlive(served)})`;

/** The deliveries of all webhooks as rows of the queue. */
export const deliveries = {
  table: "webhook_delivery",
  open: "state in ('pending', 'delivering', 'retrying')",
  due: "(state = 'pending' or state = 'retrying' and due_at <= now())",
  later: "state = 'retrying'",
};
