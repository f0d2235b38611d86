import type { Actor, Cause, Ctx, InWorkspace } from "../../kernel/context.ts";
import { inMs, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Project, Workspace } from "../../kernel/rows.ts";
import type { EpicRef } from "./hierarchy.ts";

/** The issues that have the epic of the issue above them, and the counts of epics. */

type InTenant = Pick<Ctx, "db" | "now"> & Pick<InWorkspace, "workspace">;

/**
 * SQL: the families in which an issue `i` counts: below its parent, and in its epic. A parent that is an epic counts the
 * issues that belong to it, at any depth, instead of its direct children.
 */
export const familiesOf = (i: string): string =>
  `lateral (select id, of_epic from (values (${i}.parent_id, false), (${i}.epic_id, true)) f(id, of_epic)
            where id is not null) family`;

/** Returns up to `limit` issues below an issue that follow it, also through others, archived ones too. */
export async function followersOf({ db, workspace }: InTenant, issueId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "followers_of_issue",
      text: `
        with recursive down as (
          select id from issue where workspace_id = $1 and parent_id = $2 and not epic_own
          union all
          select i.id from down join issue i on i.parent_id = down.id and i.workspace_id = $1 and not i.epic_own)
        select id from down limit $3`,
    },
    [workspace.id, issueId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Returns up to `limit` direct children that follow an issue and do not have its epic yet. */
export async function childrenBehind(
  { db, workspace }: InTenant,
  issueId: string,
  epicId: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: "children_behind",
      text: `
        select id from issue
        where workspace_id = $1 and parent_id = $2 and not epic_own and epic_id is distinct from $3::uuid
        limit $4`,
    },
    [workspace.id, issueId, epicId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Gives locked issues another epic, and counts them there. */
export async function setEpic({ db, workspace, now }: InTenant, ids: string[], epic: EpicRef): Promise<void> {
  await db.query(
    {
      name: "count_in_other_epic",
      text: `
        update issue e set child_count = child_count + n.total, child_done_count = child_done_count + n.done,
                           child_cancelled_count = child_cancelled_count + n.cancelled
        from (select id, sum(step)::int as total, sum(step * done)::int as done, sum(step * cancelled)::int as cancelled
              from (select step.id, step.by as step, (i.status = 'done')::int as done,
                           (i.status = 'cancelled')::int as cancelled
                    from issue i, lateral (values (i.epic_id, -1), ($3::uuid, 1)) step(id, by)
                    where i.workspace_id = $1 and i.id = any($2::uuid[]) and i.archived_at is null) moved
              where id is not null group by id) n
        where e.workspace_id = $1 and e.id = n.id and e.type = 'epic'`,
    },
    [workspace.id, ids, epic.epic_id],
  );
  await db.query(
    {
      name: "set_epic",
      text: `update issue set epic_id = $3::uuid, epic_number = $4, version = version + 1, updated_at = $5
             where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, ids, epic.epic_id, epic.epic_number, now],
  );
}

/** Counts an issue's children anew, because epics count otherwise than other issues. */
export async function countChildren({ db, workspace }: InTenant, issueId: string): Promise<void> {
  await db.query(
    {
      name: "count_children",
      text: `
        update issue p set (child_count, child_done_count, child_cancelled_count) = (
          select count(*), count(*) filter (where i.status = 'done'), count(*) filter (where i.status = 'cancelled')
          from issue i
          where i.archived_at is null
            and ((p.type = 'epic' and i.epic_id = p.id) or (p.type <> 'epic' and i.parent_id = p.id)))
        where p.workspace_id = $1 and p.id = $2`,
    },
    [workspace.id, issueId],
  );
}

/** Issues whose epic is still to be passed on. */
export type EpicChange = { issue_id: string; workspace_id: string; actor: Actor; cause: Cause };

export const epicChanges = leasedRows<EpicChange>({
  table: "epic_change",
  key: "issue_id",
  lease: "due_at",
  process: "held_by",
  open: "due_at is not null",
  until: inMs(30_000),
  turns: true,
  columns: "issue_id, workspace_id, actor, cause",
});
export const epicChangeEnded = epicChanges.ending("ended", { delete: true });
export const epicChangeYields = epicChanges.ending("yields", { due: "now()" });

/** Leaves it to a worker to pass on the epics of issues that others follow. One that a worker is at begins again. */
export async function leaveToWorker(
  { db, workspace, actor, cause }: InTenant & Pick<Ctx, "actor" | "cause">,
  issueIds: string[],
): Promise<void> {
  if (issueIds.length === 0) return;
  await db.query(
    {
      name: "leave_epic_change",
      text: `
        insert into epic_change (issue_id, workspace_id, actor, cause, due_at)
        select above.id, $1, $3::jsonb, $4::jsonb, now() from unnest($2::uuid[]) above(id)
        where exists (select from issue i where i.parent_id = above.id and not i.epic_own)
        on conflict (issue_id) do update
        set actor = excluded.actor, cause = excluded.cause, due_at = excluded.due_at, held_by = null`,
    },
    [workspace.id, issueIds, JSON.stringify(actor), JSON.stringify(cause)],
  );
}

/** What the events of an issue need to know about where it is. */
export async function placeOf(
  db: Db,
  workspaceId: string,
  issueId: string,
): Promise<{ project: Pick<Project, "id" | "key" | "slug">; workspace: Workspace }> {
  const [row] = await db.query<{ project: Pick<Project, "id" | "key" | "slug">; workspace: Workspace }>(
    {
      name: "place_of_issue",
      text: `
        select json_build_object('id', p.id, 'key', p.key, 'slug', p.slug) as project,
               json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan) as workspace
        from issue i join project p on p.id = i.project_id join workspace w on w.id = i.workspace_id
        where i.workspace_id = $1 and i.id = $2`,
    },
    [workspaceId, issueId],
  );
  return row!;
}
