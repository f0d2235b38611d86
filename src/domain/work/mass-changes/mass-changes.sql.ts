import { issueColumns, issueJoins, labelsJson } from "../../access/identity/issue-row.ts";
import { authorship } from "../../events/record.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { inMs, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { FullIssue } from "../issues/change.sql.ts";
import { kindOf } from "./kinds.ts";
import type { MassChange } from "./rows.ts";

/** The table of mass changes, and the stored issues that they are to come for. */

export type NewMassChange = Pick<MassChange, "id" | "kind" | "target_id" | "to_id" | "data" | "steps">;

export async function insertMassChange(ctx: InProject & Writing, change: NewMassChange): Promise<void> {
  await ctx.tx.query(
    {
      text: `
        insert into mass_change (id, workspace_id, project_id, kind, target_id, to_id, data, steps, author, due_at, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), $10)`,
    },
    [
      ...[change.id, ctx.workspace.id, ctx.project.id, change.kind, change.target_id, change.to_id],
      ...[JSON.stringify(change.data), change.steps, JSON.stringify(authorship(ctx)), ctx.now],
    ],
  );
}

export async function deleteMassChange(ctx: InProject & Writing, id: string): Promise<void> {
  await ctx.tx.query({ text: "delete from mass_change where workspace_id = $1 and id = $2" }, [ctx.workspace.id, id]);
}

/** Stores for how many issues it is to come. */
export async function setTotal(ctx: InProject & Writing, id: string, total: number): Promise<void> {
  const text = "update mass_change set total = $3 where workspace_id = $1 and id = $2";
  await ctx.tx.query({ text }, [ctx.workspace.id, id, total]);
}

/** Returns some of the stored issues that a change is to come for, by id. */
export async function issuesToCome(
  db: Db,
  { id, kind, workspaceId }: { id: string; kind: string; workspaceId: string },
  limit: number,
): Promise<string[]> {
  const text = `
    select i.id from mass_change m, only issue i
    where m.id = $1 and m.workspace_id = $2 and i.workspace_id = $2 and ${kindOf(kind).toCome} order by i.id limit $3`;
  return (await db.query<{ id: string }>({ text }, [id, workspaceId, limit])).map((row) => row.id);
}

/** Returns those of some issues that a change is to come for. */
export async function toComeAmong(
  db: Db,
  { id, kind }: Pick<MassChange, "id" | "kind">,
  workspaceId: string,
  ids: string[],
): Promise<string[]> {
  const text = `
    select i.id from mass_change m, only issue i
    where m.id = $1 and m.workspace_id = $2 and i.workspace_id = $2 and i.id = any($3::uuid[]) and ${kindOf(kind).toCome}
    order by i.rank, i.id`;
  return (await db.query<{ id: string }>({ text }, [id, workspaceId, ids])).map((row) => row.id);
}

/** Counts the stored issues that a change is to come for. */
export async function countToCome(ctx: InProject & Writing, id: string, kind: string): Promise<number> {
  const text = `
    select count(*)::int as issues from mass_change m, only issue i
    where m.id = $1 and m.workspace_id = $2 and i.workspace_id = $2 and ${kindOf(kind).toCome}`;
  const [row] = await ctx.tx.query<{ issues: number }>({ text }, [id, ctx.workspace.id]);
  return row!.issues;
}

/**
 * Earlier changes that still move issues to an object move them on to `to`. Returns the changes. Each counts one step more
 * in versions and has the time of this change, because readers have seen the issues at that object.
 */
export async function redirect(ctx: InProject & Writing, from: string, to: string | null, besides: string) {
  const text = `
    update mass_change set to_id = $3, steps = steps + 1, created_at = greatest(created_at, $6)
    where workspace_id = $1 and project_id = $5 and to_id = $2 and id <> $4 returning id, kind`;
  const values = [ctx.workspace.id, from, to, besides, ctx.project.id, ctx.now];
  return ctx.tx.query<{ id: string; kind: string }>({ text }, values);
}

/** Deletes earlier changes of the same object, because this one replaces them. Returns how many there were. */
export async function supersede(ctx: InProject & Writing, target: string): Promise<number> {
  const text = `delete from mass_change where workspace_id = $1 and project_id = $2 and target_id = $3 returning 1`;
  return (await ctx.tx.query({ text }, [ctx.workspace.id, ctx.project.id, target])).length;
}

/** Whether a change is still to come for issues of this object, or for some that move to it. */
export async function isUnderway({ db, workspace, project }: InProject, target: string): Promise<boolean> {
  const text = `
    select 1 from mass_change where workspace_id = $1 and project_id = $2 and (target_id = $3 or to_id = $3)`;
  const found = await db.query({ name: "mass_change_underway", text }, [workspace.id, project.id, target]);
  return found.length > 0;
}

/** Whether issues of the project are still to follow a column that was changed or deleted. */
export async function areColumnsUnderway({ db, workspace, project }: InProject): Promise<boolean> {
  const text = `
    select 1 from mass_change where workspace_id = $1 and project_id = $2 and kind in ('category', 'column') limit 1`;
  return (await db.query({ text }, [workspace.id, project.id])).length > 0;
}

/** Returns the changes that may be to come for issues of these projects, in their order. */
export function changesOfIssues(db: Db, workspaceId: string, issueIds: readonly string[]): Promise<MassChange[]> {
  const text = `
    select m.id, m.project_id, m.kind, m.target_id, m.to_id, m.data, m.steps, m.author, m.created_at,
           w.slug as workspace_slug, p.key as project_key, p.slug as project_slug
    from mass_change m join workspace w on w.id = m.workspace_id join project p on p.id = m.project_id
    where m.workspace_id = $1
      and m.project_id in (select i.project_id from only issue i where i.workspace_id = $1 and i.id = any($2::uuid[]))
    order by m.id`;
  return db.query<MassChange>({ name: "mass_changes_of_issues", text }, [workspaceId, issueIds]);
}

/** Returns issues as they are stored. */
export const storedIssues = (db: Db, workspaceId: string, ids: readonly string[]): Promise<FullIssue[]> =>
  db.query<FullIssue>(
    {
      name: "stored_issues",
      text: `select ${issueColumns}, ${labelsJson} from only issue i ${issueJoins}
             where i.workspace_id = $1 and i.id = any($2::uuid[]) order by i.id`,
    },
    [workspaceId, ids],
  );

export type Claimed = {
  id: string;
  workspace_id: string;
  project_id: string;
  kind: string;
  total: number;
  done: number;
};

/** Changes that have not ended. `$2` of a claim is the worker process, `$3` the workspace. */
export const massChanges = leasedRows<Claimed>({
  table: "mass_change",
  key: "id",
  lease: "due_at",
  process: "held_by",
  open: "due_at is not null",
  only: "workspace_id = $3",
  until: inMs(60_000),
  columns: "id, workspace_id, project_id, kind, total, done",
});

export const massChangeEnded = massChanges.ending("ended", { delete: true });
/** It goes on when others have had their turn. */
export const massChangeYields = massChanges.ending("yields", { due: "now()" });

/** Stores for how many issues it is done, if this worker still has its lease. */
export async function setDone(
  db: Db,
  { lease_key, lease_until }: { lease_key: string; lease_until: string },
  done: number,
) {
  const text = "update mass_change set done = $3 where id = $1 and due_at = $2 returning 1";
  return (await db.query({ name: "mass_change_done", text }, [lease_key, lease_until, done])).length > 0;
}
