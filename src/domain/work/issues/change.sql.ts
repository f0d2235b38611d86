import {
  bareIssueColumns,
  type IssueRow,
  issueColumns,
  issueJoins,
  type LabelRow,
  labelsJson,
} from "../../access/identity/issue-row.ts";
import { readVersion } from "../../access/identity/names.sql.ts";
import { type BareIssue, nameIssues, versionOf } from "../../access/identity/names.ts";
import type { Category } from "../../kernel/categories.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import type { Statement } from "../../kernel/ports/ports.ts";
import { lockIssues } from "../mass-changes/settle.ts";

/** Reads and writes of one issue within a transaction. */

export type FullIssue = IssueRow & { labels: LabelRow[] | null };

const READ = {
  name: "issue_read",
  text: `select ${issueColumns}, ${labelsJson} from issue i ${issueJoins} where i.workspace_id = $1 and i.id = $2`,
};

/** Makes creations of issues that join a family of the project check it again. The caller has locked the board. */
export function countFamilyChange({ tx, project }: Pick<Writing, "tx"> & { project: { id: string } }): void {
  const text = `update issue_counter set family_revision = family_revision + 1 where project_id = $1`;
  tx.send({ name: "family_changed", text }, [project.id]);
}

/** Locks the issue and reads it as it is then, in one trip. */
export const lockIssue = async (ctx: InProject & Writing, issueId: string): Promise<FullIssue> =>
  (await lockAndRead(ctx, issueId)).issue;

/**
 * The same. `changing` says that changes of very many issues are to come in the project, and may have been made for this
 * issue just now: what was read at the same time may be older.
 */
export async function lockAndRead(
  ctx: InProject & Writing,
  issueId: string,
): Promise<{ issue: FullIssue; changing: boolean }> {
  const admitted = versionOf(ctx.workspace);
  if (admitted !== null) {
    const [stored, version] = await Promise.all([lockStored(ctx, issueId), readVersion(ctx.tx, ctx.workspace.id)]);
    const { changing, ...bare } = stored;
    // The names are those of the moment in which the lock was taken, though they were read before.
    if (!changing && version === admitted) {
      const [issue] = await nameIssues(ctx.tx, ctx.workspace, [bare]);
      return { issue: issue!, changing };
    }
  }
  const [[row], issue] = await Promise.all([lockIssues(ctx, [issueId]), readIssue(ctx, issueId)]);
  const changing = row!.changing;
  return { issue: changing ? await readIssue(ctx, issueId) : issue, changing };
}

const LOCK_STORED = {
  name: "lock_and_read_issue",
  text: `
    select ${bareIssueColumns}, exists (select from mass_change m where m.project_id = i.project_id) as changing
    from only issue i where i.workspace_id = $1 and i.id = $2 for no key update of i`,
};

/** Locks one issue and returns its row. See `lockIssueRows`. */
async function lockStored(ctx: InProject & Writing, issueId: string) {
  type Row = BareIssue & { changing: boolean };
  const [row] = await ctx.tx.query<Row>(LOCK_STORED, [ctx.workspace.id, issueId]);
  if (!row) throw new Error("An issue that was located is gone; issues are never deleted.");
  ctx.waited(row.updated_at);
  return row;
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
export function updateIssue(ctx: InProject & Writing, issueId: string, changes: Changes): void {
  const values = [ctx.workspace.id, issueId, ctx.now, ...Object.values(changes)];
  ctx.tx.send(updateOf(Object.keys(changes)), values);
}

/** The statements by the columns that they set. */
const updates = new Map<string, Statement>();
/** Postgres keeps each prepared statement on each connection, so only so many combinations of columns are prepared. */
const MOST_PREPARED = 100;

function updateOf(columns: string[]): Statement {
  const key = columns.join(" ");
  const known = updates.get(key);
  if (known) return known;
  const sets = columns.map((column, index) => `${column} = $${index + 4}`);
  const text = `
    update issue set ${[...sets, "version = version + 1", "updated_at = $3"].join(", ")}
    where workspace_id = $1 and id = $2`;
  if (updates.size === MOST_PREPARED) return { text };
  const statement = { name: `update_issue_${updates.size}`, text };
  updates.set(key, statement);
  return statement;
}

/** Columns that show what is stored in other rows, or in another form. */
const REFERRING = ["status_id", "assignee_ids", "label_ids", "reporter_id", "custom_fields"] as const;

/**
 * Returns the issue after a change. It is read again only if a changed column refers to other rows.
 * @param shown what changed columns show, as far as the caller knows it
 */
export async function issueAfter(
  ctx: InProject,
  before: FullIssue,
  changes: Changes,
  { columns = [], row = {} }: Shown = {},
): Promise<FullIssue> {
  if (REFERRING.some((column) => column in changes && !columns.includes(column))) return readIssue(ctx, before.id);
  return { ...before, ...changes, ...row, version: before.version + 1, updated_at: ctx.now };
}

/** What some changed columns show. */
export type Shown = { columns?: readonly (typeof REFERRING)[number][]; row?: Partial<FullIssue> };

/** Stores whether the issue's epic is its own, which no view shows. So the version stays. */
export function setEpicOwn({ tx, workspace }: InProject & Writing, issueId: string, own: boolean): void {
  const text = "update issue set epic_own = $3 where workspace_id = $1 and id = $2";
  tx.send({ name: "set_epic_own", text }, [workspace.id, issueId, own]);
}

/** Adds watchers to an issue. Users who already watch it stay as they are. Those who had stopped hear of it again. */
export function watch(ctx: InProject & Writing, issueId: string, userIds: string[]): void {
  if (userIds.length === 0) return;
  ctx.tx.send(
    {
      name: "watch_issue",
      text: `
        with added as (
          insert into watcher (issue_id, user_id, workspace_id, created_at)
          select distinct $2::uuid, w, $1::uuid, $4::timestamptz from unnest($3::uuid[]) w
          on conflict do nothing
          returning 1),
        again as (
          delete from issue_unwatched where issue_id = $2 and user_id = any($3::uuid[]))
        update issue set watcher_count = watcher_count + (select count(*) from added)
        where workspace_id = $1 and id = $2 and exists (select from added)`,
    },
    [ctx.workspace.id, issueId, userIds, ctx.now],
  );
}

/** Updates the counts of live issues in columns, parents and epics. */
export function recount(ctx: InProject & Writing, before: Counted | null, after: Counted | null): void {
  const column = { from: before?.status_id ?? null, to: after?.status_id ?? null };
  if (column.from !== column.to) {
    ctx.tx.send(
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
    // No other category has a count of its own.
    closed: counted?.status === "done" || counted?.status === "cancelled" ? counted.status : null,
  });
  const [from, to] = [family(before), family(after)];
  if (from.parent === to.parent && from.epic === to.epic && from.closed === to.closed) return;
  const counts = (parent: string, epic: string) =>
    `(case when type = 'epic' then id is not distinct from ${epic}::uuid else id is not distinct from ${parent}::uuid end)`;
  const step = (category: Category) =>
    `(${counts("$5", "$6")} and $7 is not distinct from '${category}')::int - (${counts("$2", "$3")} and $4 is not distinct from '${category}')::int`;
  ctx.tx.send(
    {
      name: "recount_families",
      text: `
        update issue set
          child_count = child_count - ${counts("$2", "$3")}::int + ${counts("$5", "$6")}::int,
          child_done_count = child_done_count + ${step("done")},
          child_cancelled_count = child_cancelled_count + ${step("cancelled")}
        where workspace_id = $1 and id in ($2::uuid, $3::uuid, $5::uuid, $6::uuid)`,
    },
    [ctx.workspace.id, from.parent, from.epic, from.closed, to.parent, to.epic, to.closed],
  );
}

type Counted = Pick<IssueRow, "status_id" | "status" | "parent_id" | "epic_id">;
