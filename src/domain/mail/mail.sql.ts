import type { Db } from "../ports.ts";

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
        insert into outbox (event_id, workspace_id, type) values ($1, $2, 'mail.written')`,
    },
    [mail.id, mail.workspaceId, mail.kind, mail.to, mail.content, mail.expiresAt, mail.now],
  );
}

// A worker knows of a mail by its job alone, so the statements below find it by its id, which no client ever names.

/** Gives a mail up that is of no use any more, unless it is being sent or over already. */
export async function expireMail(db: Db, id: string, now: string): Promise<boolean> {
  const rows = await db.query(
    {
      name: "expire_mail",
      text: `
        update mail set state = 'failed', error = 'expired', content_sealed = null, lease_until = null
        where id = $1 and expires_at <= $2
          and (state = 'waiting' or (state = 'sending' and lease_until <= $2))
        returning 1`,
    },
    [id, now],
  );
  return rows.length > 0;
}

export type ClaimedMail = { mine: true; recipient: string; content_sealed: string; attempts: number };

/**
 * Takes a mail in hand until the lease ends. Null when nothing is left to do; `mine: false` while another worker has it.
 */
export async function claimMail(
  db: Db,
  id: string,
  now: string,
  leaseUntil: string,
): Promise<ClaimedMail | { mine: false } | null> {
  const [claimed] = await db.query<Omit<ClaimedMail, "mine">>(
    {
      name: "claim_mail",
      text: `
        update mail set state = 'sending', attempts = attempts + 1, lease_until = $3
        where id = $1 and (state = 'waiting' or (state = 'sending' and lease_until <= $2))
        returning recipient, content_sealed, attempts`,
    },
    [id, now, leaseUntil],
  );
  if (claimed) return { mine: true, ...claimed };
  const [busy] = await db.query(
    { name: "mail_in_hand", text: `select 1 from mail where id = $1 and state = 'sending'` },
    [id],
  );
  return busy ? { mine: false } : null;
}

/**
 * Stores how an attempt ended. `attempts` is the claim's: whoever came after a lease that ran out has a higher one, and
 * then this changes nothing.
 */
export async function concludeMail(
  db: Db,
  outcome: {
    id: string;
    attempts: number;
    state: "waiting" | "sent" | "failed";
    error: string | null;
    sentAt: string | null;
  },
): Promise<void> {
  await db.query(
    {
      name: "conclude_mail",
      text: `
        update mail set state = $3, error = $4, sent_at = $5, lease_until = null,
                        content_sealed = case when $3 = 'waiting' then content_sealed end
        where id = $1 and attempts = $2 and state = 'sending'`,
    },
    [outcome.id, outcome.attempts, outcome.state, outcome.error, outcome.sentAt],
  );
}
