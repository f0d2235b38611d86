import type { InIssue } from "../../access/identity/issue-row.ts";
import type { TimeEntryView } from "./view.ts";

/** Returns an issue's newest entries. */
export const readEntries = ({ db, workspace, issue }: InIssue, max: number): Promise<TimeEntryView[]> =>
  db.query<TimeEntryView>(
    {
      name: "time_entries",
      text: `
        select id, author_id, minutes, note, spent_on::text as spent_on from time_entry
        where workspace_id = $1 and issue_id = $2 order by id desc limit $3`,
    },
    [workspace.id, issue.id, max],
  );

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

export type NewEntry = { id: string; minutes: number; note: string | null; spent_on: string };

/** Stores an entry. The change of the issue, which locks it, updates the issue's own counts. */
export async function insertEntry(ctx: InIssue, { id, minutes, note, spent_on }: NewEntry): Promise<void> {
  await ctx.db.query(
    {
      name: "insert_time_entry",
      text: `
        insert into time_entry (id, workspace_id, project_id, issue_id, author_id, minutes, note, spent_on, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8::date, $9)`,
    },
    [id, ctx.workspace.id, ctx.project.id, ctx.issue.id, ctx.principal.user_id, minutes, note, spent_on, ctx.now],
  );
}
