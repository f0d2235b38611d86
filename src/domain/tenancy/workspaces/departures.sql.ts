import { authorship } from "../../events/record.ts";
import type { Actor, Cause, InWorkspace, Writing } from "../../kernel/context.ts";
import { newId } from "../../kernel/ids.ts";
import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";

/** People who are no longer members, but still assigned to very many open issues (work/issues/unassign-departed.ts). */
export type Departure = {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string | null;
  /** Who ended the membership. */
  author: { actor: Actor; cause: Cause };
  workspace: Workspace;
};

/** Departures that have not ended. `$2` of a claim is the worker process, `$3` the workspace. */
export const departures = leasedRows<Departure>({
  table: "member_departure",
  key: "id",
  lease: "due_at",
  process: "held_by",
  open: "due_at is not null",
  only: "workspace_id = $3",
  until: inMs(60_000),
  columns: `
    id, workspace_id, user_id, author,
    (select u.name from app_user u where u.id = user_id) as name,
    (select json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan)
     from workspace w where w.id = workspace_id) as workspace`,
});

export const departureEnded = departures.ending("ended", { delete: true });
/** It goes on when others have had their turn. */
export const departureYields = departures.ending("yields", { due: "now()" });

/** Leaves it to a worker to unassign somebody whose membership ends. */
export async function leaveToWorker(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const text = `
    insert into member_departure (id, workspace_id, user_id, author, due_at, created_at)
    values ($1, $2, $3, $4, now(), $5)
    on conflict (workspace_id, user_id) do update
    set id = excluded.id, author = excluded.author, due_at = excluded.due_at, held_by = null`;
  await ctx.tx.query({ text }, [newId(), ctx.workspace.id, userId, JSON.stringify(authorship(ctx)), ctx.now]);
}

/**
 * Locks a departure. Returns false if the person is a member again, or another worker has taken over because this process
 * seemed to be dead.
 */
export async function lockDeparture(ctx: Writing, { lease_key, lease_until }: Lease): Promise<boolean> {
  const text = "select 1 from member_departure where id = $1 and due_at = $2 for update";
  const found = await ctx.tx.query({ name: "lock_departure", text }, [lease_key, lease_until]);
  ctx.waited();
  return found.length > 0;
}
