import type { Transaction } from "../../kernel/ports/ports.ts";

const RETRY = {
  name: "webhook_retry",
  text: `
    with newest as (
      select d.*, exists (select from event e where e.id = d.delivery_id and e.workspace_id = d.workspace_id) as kept
      from webhook_delivery d
      where d.workspace_id = $1 and d.webhook_id = $2 and d.delivery_id = $3
      order by attempt desc limit 1
    ),
    hurried as (
      update webhook_delivery d set due_at = now() from newest n
      where d.id = n.id and d.state = 'retrying' and n.kept
      returning d.id
    ),
    added as (
      insert into webhook_delivery
        (id, workspace_id, webhook_id, delivery_id, event_type, attempt, state, due_at, sequence, created_at)
      select $4, workspace_id, webhook_id, delivery_id, event_type, attempt + 1, 'pending', now(), sequence, now()
      from newest where state in ('succeeded', 'failed', 'skipped') and kept
      -- A replay may be queueing the same message.
      on conflict (webhook_id, delivery_id, attempt) do nothing
      returning id
    )
    select n.kept,
           exists (select from hurried) or exists (select from added) as due
    from newest n`,
};

/** `kept`: the event still exists. `due`: the message has become due now; otherwise it was being sent anyway. */
export type Retried = { kept: boolean; due: boolean };

/**
 * Makes a message due now: an attempt that waits for its time, or else a further one. An attempt that is due already is
 * left as it is. Call it with the webhook locked, so that no step runs meanwhile.
 * @param newAttemptId the id of a further attempt
 */
export async function retryMessage(
  tx: Transaction,
  { workspaceId, webhookId, messageId }: { workspaceId: string; webhookId: string; messageId: string },
  newAttemptId: string,
): Promise<Retried> {
  const [row] = await tx.query<Retried>(RETRY, [workspaceId, webhookId, messageId, newAttemptId]);
  return row!;
}
