import { isAlive } from "../../kernel/liveness.sql.ts";

/** SQL: which deliveries of a webhook are due, and whether a live process serves it. */

// Rows are stored to the millisecond, rounded, and the timer of a retry may be early against the database's clock.
const SOON = "now() + interval '500 ms'";

/**
 * Rows that are due: retries, new messages, and what an earlier lease left behind. Tests go their own way (tests.sql.ts).
 * @param hook the webhook's id
 * @param left which of the rows that a lease has marked as being delivered nobody delivers any more
 */
export const dueRows = (hook: string, left: string, columns: string, most: number): string => `
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'retrying' and due_at <= ${SOON}
   order by due_at limit ${most})
  union all
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'pending' and event_type <> 'webhook.test'
   order by sequence nulls first limit ${most})
  union all
  (select ${columns} from webhook_delivery
   where webhook_id = ${hook} and state = 'delivering' and event_type <> 'webhook.test'
     and case when turn is null then lease_until <= now() else ${left} end
   order by lease_until limit ${most})`;

/** @param served column that names the process that has leased the webhook */
export const isUnserved = (served: string): string => `(${served} is null or not ${isAlive(served)})`;

/** What is to be delivered, of all webhooks. */
export const deliveries = {
  table: "webhook_delivery",
  open: "state in ('pending', 'delivering', 'retrying')",
  due: "(state = 'pending' or state = 'retrying' and due_at <= now())",
  later: "state = 'retrying'",
};
