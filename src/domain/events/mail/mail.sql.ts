import { isAlive } from "../../kernel/liveness.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { mailWritten } from "./events.ts";

export type MailRow = {
  id: string;
  workspaceId: string | null;
  kind: string;
  to: string;
  content: string;
  expiresAt: string | null;
  now: string;
};

/** Stores a mail and what wakes its worker: an outbox row with the mail's id, which commits with it. */
export async function insertMail(db: Db, mail: MailRow): Promise<void> {
  await db.query(
    {
      name: "insert_mail",
      text: `
        with written as (
          insert into mail (id, workspace_id, kind, recipient, content_sealed, expires_at, created_at)
          values ($1, $2, $3, $4, $5, $6, $7)
        )
        insert into outbox (event_id, workspace_id, type) values ($1, $2, '${mailWritten.name}')`,
    },
    [mail.id, mail.workspaceId, mail.kind, mail.to, mail.content, mail.expiresAt, mail.now],
  );
}

// A worker knows of a mail by its job alone, so the statements below find it by its id, which no client ever names.

// Of a worker that died, or that took longer than an attempt may take.
const LEFT_BEHIND = `state = 'sending' and (lease_until <= now() or held_by is not null and not ${isAlive("held_by")})`;

/** Gives a mail up that is of no use any more, unless it is being sent or over already. */
export async function expireMail(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(
    {
      name: "expire_mail",
      text: `
        update mail set state = 'failed', error = 'expired', content_sealed = null, lease_until = null, held_by = null
        where id = $1 and expires_at <= now() and (state = 'waiting' or ${LEFT_BEHIND})
        returning 1`,
    },
    [id],
  );
  return rows.length > 0;
}

export type ClaimedMail = { recipient: string; content_sealed: string; attempts: number };

/** Takes a mail in hand for a process, until it dies or the lease ends. Null when nothing is to be done, or not by us. */
export async function claimMail(db: Db, id: string, processId: string, leaseMs: number): Promise<ClaimedMail | null> {
  const [claimed] = await db.query<ClaimedMail>(
    {
      name: "claim_mail",
      text: `
        update mail set state = 'sending', attempts = attempts + 1, held_by = $2,
                        lease_until = now() + $3 * interval '1 ms'
        where id = $1 and (state = 'waiting' or ${LEFT_BEHIND}) and ${isAlive("$2")}
        returning recipient, content_sealed, attempts`,
    },
    [id, processId, leaseMs],
  );
  return claimed ?? null;
}

/** Whether a mail that could not be claimed is still to be sent. */
export async function isInHand(db: Db, id: string): Promise<boolean> {
  const open = { name: "mail_in_hand", text: `select 1 from mail where id = $1 and state in ('waiting', 'sending')` };
  return (await db.query(open, [id])).length > 0;
}

/**
 * Stores how an attempt ended. `attempts` is the claim's. If another process has taken the mail over, the row has a higher
 * one, and this changes nothing.
 */
export async function concludeMail(
  db: Db,
  outcome: { id: string; attempts: number; state: "waiting" | "sent" | "failed"; error: string | null },
): Promise<void> {
  await db.query(
    {
      name: "conclude_mail",
      text: `
        update mail set state = $3, error = $4, sent_at = case when $3 = 'sent' then now() end, lease_until = null,
                        held_by = null, content_sealed = case when $3 = 'waiting' then content_sealed end
        where id = $1 and attempts = $2 and state = 'sending'`,
    },
    [outcome.id, outcome.attempts, outcome.state, outcome.error],
  );
}
