import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { TimeEntryView } from "./view.ts";

/** Entries of an issue's time log. Every change of one locks the issue, which counts their minutes. */

const columns = "id, author_id, minutes, note, spent_on::text as spent_on";

/** Returns an issue's entries, newest first. */
export const readEntries = (
  { db, workspace, issue }: InIssue,
  limit: number,
  after: Cursor | null = null,
): Promise<TimeEntryView[]> =>
  db.query<TimeEntryView>(
    {
      name: after ? "time_entries_after" : "time_entries",
      text: `
        select ${columns} from time_entry
        where workspace_id = $1 and issue_id = $2 ${after ? "and id < $4::uuid" : ""} order by id desc limit $3`,
    },
    [workspace.id, issue.id, limit, ...(after ?? [])],
  );

/** An entry, whether an agent wrote it, and what it took from the issue's remaining time. */
export type EntryRow = TimeEntryView & { of_agent: boolean; lowered_minutes: number };

export async function findEntry({ db, workspace, issue }: InIssue, id: string): Promise<EntryRow | null> {
  const [row] = await db.query<EntryRow>(
    {
      name: "time_entry",
      text: `
        select ${columns}, lowered_minutes, exists (select from app_user u where u.id = author_id and u.kind = 'agent') as of_agent
        from time_entry where workspace_id = $1 and issue_id = $2 and id = $3`,
    },
    [workspace.id, issue.id, id],
  );
  return row ?? null;
}

/** Returns the minutes that a user has logged on an issue, and those of all others. */
export async function minutesOf(
  { db, workspace, issue }: InIssue,
  userId: string,
): Promise<{ own: number; others: number }> {
  const [row] = await db.query<{ own: number; others: number }>(
    {
      name: "minutes_of_author",
      text: `
        select coalesce(sum(minutes) filter (where author_id = $3), 0)::int as own,
               coalesce(sum(minutes) filter (where author_id <> $3), 0)::int as others
        from time_entry where workspace_id = $1 and issue_id = $2`,
    },
    [workspace.id, issue.id, userId],
  );
  return row!;
}

/** Returns the minutes spent on an issue's live children; of an epic, on all issues that belong to it. */
export async function childrenSpent({ db, workspace, issue }: InIssue): Promise<number> {
  const family = issue.type === "epic" ? "epic_id" : "parent_id";
  const [row] = await db.query<{ minutes: number }>(
    {
      name: `spent_below_${family}`,
      text: `
        select coalesce(sum(spent_minutes), 0) as minutes from issue
        where workspace_id = $1 and ${family} = $2 and archived_at is null`,
    },
    [workspace.id, issue.id],
  );
  return row?.minutes ?? 0;
}

/** What its author says in an entry. */
export type Entry = { minutes: number; note: string | null; spent_on: string };

export async function insertEntry(
  ctx: InIssue,
  id: string,
  { minutes, note, spent_on }: Entry,
  lowered: number,
): Promise<void> {
  await ctx.db.query(
    {
      name: "insert_time_entry",
      text: `
        insert into time_entry (id, workspace_id, project_id, issue_id, author_id, minutes, note, spent_on,
                                lowered_minutes, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8::date, $9, $10)`,
    },
    [
      ...[id, ctx.workspace.id, ctx.project.id, ctx.issue.id, ctx.principal.user_id],
      ...[minutes, note, spent_on, lowered, ctx.now],
    ],
  );
}

export async function updateEntry(
  { db, workspace, issue }: InIssue,
  id: string,
  { minutes, note, spent_on }: Entry,
  lowered: number,
): Promise<void> {
  const text = `update time_entry set minutes = $4, note = $5, spent_on = $6::date, lowered_minutes = $7
                where workspace_id = $1 and issue_id = $2 and id = $3`;
  await db.query({ name: "update_time_entry", text }, [
    ...[workspace.id, issue.id, id],
    ...[minutes, note, spent_on, lowered],
  ]);
}

export async function deleteEntry({ db, workspace, issue }: InIssue, id: string): Promise<void> {
  const text = "delete from time_entry where workspace_id = $1 and issue_id = $2 and id = $3";
  await db.query({ name: "delete_time_entry", text }, [workspace.id, issue.id, id]);
}
