import { inMs, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { HAS_OPEN_COLUMN } from "../../work/issues/open.sql.ts";

/** An open issue whose due date notifies people: 24 hours before it, and when it has passed. Triggers write the rows. */
export type Reminder = { issue_id: string; workspace_id: string; due_at: string; is_over: boolean };

export const reminders = leasedRows<Reminder>({
  table: "reminder",
  key: "issue_id",
  lease: "next_at",
  open: "true",
  until: inMs(60_000),
  turns: true,
  columns: "issue_id, workspace_id, due_at, ends_at <= now() as is_over",
});

/** The issue's due date was announced; the next notification comes when it has passed. */
export const remindedSoon = reminders.ending("soon", { due: "ends_at" });

/** The issue is overdue, and that was announced. */
export const remindedOver = reminders.ending("over", { delete: true });

/** Reminders that one statement moves. */
const PIECE = 1_000;

/** Moves some reminders of a person or a workspace whose zone has changed. Returns whether more may be left. */
export async function moveReminders(db: Db): Promise<boolean> {
  const [row] = await db.query<{ moved: number | null }>(
    { name: "move_reminders", text: "select move_reminders($1) as moved" },
    [PIECE],
  );
  return row!.moved !== null;
}

/** `due_on` is the whole day in words; null for an instant, whose words depend on the zone of the reader. */
export type IssueDue = { id: string; key: string; title: string; due_on: string | null };

/**
 * Open issues of a workspace that are still due at the given times, without those of archived projects. The due date may
 * have changed since a worker claimed its reminder, above all if the worker was frozen. An issue whose column was closed
 * or deleted has a reminder until the worker has come to it, and reminds nobody.
 */
export const issuesDue = (db: Db, workspaceId: string, claims: readonly Reminder[]): Promise<IssueDue[]> =>
  db.query<IssueDue>(
    {
      name: "issues_due",
      text: `
        select i.id, i.key, i.title, to_char(i.due_on, 'FMDD Mon YYYY') as due_on
        from unnest($2::uuid[], $3::timestamptz[]) as claim(issue_id, due_at)
        join issue i on i.id = claim.issue_id and i.due_at = claim.due_at join project p on p.id = i.project_id
        where i.workspace_id = $1 and p.archived_at is null and ${HAS_OPEN_COLUMN}`,
    },
    [workspaceId, claims.map(({ issue_id }) => issue_id), claims.map(({ due_at }) => due_at)],
  );
