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
