import { type IssueRow, issueColumns, issueJoins, type LabelRow, labelsJson } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import type { Ctx, InProject, Writing } from "../../kernel/context.ts";
import { lockIssues } from "../mass-changes/settle.ts";

/** Reads and writes of one issue within a transaction. */

export type FullIssue = IssueRow & { labels: LabelRow[] | null };

const READ = {
  name: "issue_read",
  text: `select ${issueColumns}, ${labelsJson} from issue i ${issueJoins} where i.workspace_id = $1 and i.id = $2`,
};

/** Makes creations of issues that join a family of the project check it again. The caller has locked the board. */
export const countFamilyChange = async (ctx: Pick<Ctx, "db"> & { project: { id: string } }): Promise<void> => {
  const text = `update issue_counter set family_revision = family_revision + 1 where project_id = $1`;
  await ctx.db.query({ name: "family_changed", text }, [ctx.project.id]);
};

/** Locks the issue and then reads it. */
export async function lockIssue(ctx: InProject & Writing, issueId: string): Promise<FullIssue> {
  await lockIssues(ctx, [issueId]);
  return readIssue(ctx, issueId);
}

export async function readIssue(ctx: InProject, issueId: string): Promise<FullIssue> {
  const [row] = await ctx.db.query<FullIssue>(READ, [ctx.workspace.id, issueId]);
  if (!row) throw new Error("An issue that was located is gone; issues are never deleted.");
  return row;
}

/** Columns that a change may set. The names are constants of ours, never a client's. */
export type Changes = Partial<
  Omit<IssueRow, "id" | "project_id" | "number" | "key" | "status_name" | "assignee_name" | "assignee_kind"> & {
    /** The times that the issue had with other categories of its column. Nobody sees them. */
    earlier_times: unknown;
  }
>;

/** Returns what follows for an issue whose column got another category, for `updateIssue`. */
export async function becauseOfCategory({ db, workspace, now }: InProject, issueId: string, category: Category) {
  const text = `
    select t.* from only issue i, in_category(i, $3, $4::timestamptz) t where i.workspace_id = $1 and i.id = $2`;
  type Following = "started_at" | "resolved_at" | "earlier_times" | "sprint_id" | "assignee_ids";
  const [changes] = await db.query<Required<Pick<Changes, Following>>>({ text }, [
    workspace.id,
    issueId,
    category,
    now,
  ]);
  const earlier = changes!.earlier_times;
  return { ...changes!, earlier_times: earlier ? JSON.stringify(earlier) : null };
}

/** Writes the changed columns and increments the version. */
export async function updateIssue(ctx: InProject, issueId: string, changes: Changes): Promise<void> {
  const columns = Object.keys(changes);
  const sets = columns.map((column, index) => `${column} = $${index + 4}`);
  await ctx.db.query(
    {
      text: `update issue set ${[...sets, "version = version + 1", "updated_at = $3"].join(", ")}
             where workspace_id = $1 and id = $2`,
    },
    [ctx.workspace.id, issueId, ctx.now, ...Object.values(changes)],
  );
}

/** Returns the issue after a change. It is read again only if a changed column refers to other rows. */
export async function issueAfter(ctx: InProject, before: FullIssue, changes: Changes): Promise<FullIssue> {
  const shows = (["status_id", "assignee_ids", "label_ids", "reporter_id", "custom_fields"] as const).some(
    (column) => column in changes,
  );
  if (shows) return readIssue(ctx, before.id);
  return { ...before, ...changes, version: before.version + 1, updated_at: ctx.now };
}

/** Stores whether the issue's epic is its own, which no view shows. So the version stays. */
export async function setEpicOwn({ db, workspace }: InProject, issueId: string, own: boolean): Promise<void> {
  const text = "update issue set epic_own = $3 where workspace_id = $1 and id = $2";
  await db.query({ name: "set_epic_own", text }, [workspace.id, issueId, own]);
}

/** Adds watchers to an issue. Users who already watch it stay as they are. */
export async function watch(ctx: InProject, issueId: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  await ctx.db.query(
    {
      name: "watch_issue",
      text: `
        with added as (
          insert into watcher (issue_id, user_id, workspace_id, created_at)
          select distinct $2::uuid, w, $1::uuid, $4::timestamptz from unnest($3::uuid[]) w
          on conflict do nothing
          returning 1)
        update issue set watcher_count = watcher_count + (select count(*) from added)
        where workspace_id = $1 and id = $2 and exists (select from added)`,
    },
    [ctx.workspace.id, issueId, userIds, ctx.now],
  );
}

/** Updates the counts of live issues in columns, parents and epics. */
export async function recount(ctx: InProject, before: Counted | null, after: Counted | null): Promise<void> {
  const column = { from: before?.status_id ?? null, to: after?.status_id ?? null };
  if (column.from !== column.to) {
    await ctx.db.query(
      {
        name: "recount_columns",
        text: `update board_status set issue_count = issue_count + case id when $2::uuid then -1 else 1 end
               where workspace_id = $1 and (id = $2::uuid or id = $3::uuid)`,
      },
      [ctx.workspace.id, column.from, column.to],
    );
  }
  const family = (counted: Counted | null) => ({
    parent: counted?.parent_id ?? null,
    epic: counted?.epic_id ?? null,
    done: counted?.status === "done",
  });
  const [from, to] = [family(before), family(after)];
  if (from.parent === to.parent && from.epic === to.epic && from.done === to.done) return;
  const counts = (parent: string, epic: string) =>
    `(case when type = 'epic' then id is not distinct from ${epic}::uuid else id is not distinct from ${parent}::uuid end)`;
  await ctx.db.query(
    {
      name: "recount_families",
      text: `
        update issue set
          child_count = child_count - ${counts("$2", "$3")}::int + ${counts("$5", "$6")}::int,
          child_done_count = child_done_count - (${counts("$2", "$3")} and $4)::int + (${counts("$5", "$6")} and $7)::int
        where workspace_id = $1 and id in ($2::uuid, $3::uuid, $5::uuid, $6::uuid)`,
    },
    [ctx.workspace.id, from.parent, from.epic, from.done, to.parent, to.epic, to.done],
  );
}

type Counted = Pick<IssueRow, "status_id" | "status" | "parent_id" | "epic_id">;
