import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
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

/** Stores a mail, together with an outbox row that has the mail's id and wakes a worker. */
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

/**
 * How long one attempt may take, in milliseconds. It is longer than the adapter's MAIL_TIMEOUT_MS. After that, another
 * worker may send the mail with the same Message-ID.
 */
const LEASE_MS = 60_000;

export type ClaimedMail = Lease & { recipient: string; content_sealed: string; expired: boolean };

/** A digest may wait for a mail server for days. Its reader must not have left the workspace or ended the digests since. */
const DIGEST_IS_WANTED = `
  exists (select from app_user u join digest_setting s on s.user_id = u.id
          join member m on m.user_id = u.id and m.workspace_id = mail.workspace_id and m.status = 'active'
          where lower(u.email) = lower(mail.recipient))`;

/**
 * Mails to be sent. A worker learns a mail's id from its job, and no client can name one, so the statements compare no
 * workspace. `$2` of a claim is the id of the worker process.
 */
export const mails = leasedRows<Omit<ClaimedMail, keyof Lease>>({
  table: "mail",
  key: "id",
  lease: "lease_until",
  process: "held_by",
  open: "state in ('waiting', 'sending')",
  unclaimed: "state = 'waiting'",
  until: inMs(LEASE_MS),
  claiming: "state = 'sending', attempts = attempts + 1",
  columns: `recipient, content_sealed,
    coalesce(expires_at <= now(), false) or (kind = 'digest' and not ${DIGEST_IS_WANTED}) as expired`,
});

export const mailSent = mails.ending("sent", {
  set: "state = 'sent', error = null, sent_at = now(), content_sealed = null",
});

/** `$3` is the reason. */
export const mailWaits = mails.ending("waits", { set: "state = 'waiting', error = $3" });

/** `$3` is the reason. */
export const mailFailed = mails.ending("failed", { set: "state = 'failed', error = $3, content_sealed = null" });

/** The mail has expired or is no longer wanted. It was not sent. */
export const mailExpired = mails.ending("expired", {
  set: "state = 'failed', error = 'expired', content_sealed = null, attempts = attempts - 1",
});
