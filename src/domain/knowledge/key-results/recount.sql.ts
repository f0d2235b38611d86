import { leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { InTree } from "./count.sql.ts";

/** Projects whose issues changed, so that the automatic key results have to count them again. */

/** Changes of a project that come within this time are counted together, if counting takes little time. */
export const SHORTEST_DELAY_MS = 500;

export type Recount = { project_id: string; workspace_id: string; requests: number };

export const recounts = leasedRows<Recount>({
  table: "key_result_recount",
  key: "project_id",
  lease: "due_at",
  open: "due_at is not null",
  process: "claimed_by",
  until: "now() + interval '5 minutes'",
  turns: true,
  columns: "project_id, workspace_id, requests",
});

/**
 * The project was counted. It is due again if another request came in between. `$3`: the requests at the claim; `$4`: the
 * milliseconds from the next request to the count.
 */
export const counted = recounts.ending("counted", {
  set: "delay_ms = $4",
  due: "case when requests > $3 then now() + $4::integer * interval '1 ms' end",
});

/** In milliseconds: 10 s at first, then twice as long each time, up to 10 minutes. */
const LONGER = "least(greatest(delay_ms, 5000) * 2, 600000)";

/**
 * The project could not be counted. One that takes longer than a statement may would otherwise delay the projects of
 * others again and again.
 */
export const putOff = recounts.ending("put_off", {
  set: `delay_ms = ${LONGER}`,
  due: `now() + ${LONGER} * interval '1 ms'`,
});

const request = (projects: string) => `
  insert into key_result_recount as r (project_id, workspace_id, due_at)
  ${projects} order by id
  on conflict (project_id) do update set requests = r.requests + 1,
    due_at = coalesce(r.due_at, now() + r.delay_ms * interval '1 ms')`;

/** Requests that projects are counted again, or all projects of the workspace. */
export async function requestRecounts({ db, workspace }: InTree, projectIds: readonly string[] | "all"): Promise<void> {
  const all = projectIds === "all";
  if (!all && projectIds.length === 0) return;
  const text = request(
    `select id, $1::uuid, now() + interval '${SHORTEST_DELAY_MS} ms' from project where workspace_id = $1 ${all ? "" : "and id = any($2::uuid[])"}`,
  );
  await db.query({ name: `request_recounts${all ? "_all" : ""}`, text }, [workspace.id, ...(all ? [] : [projectIds])]);
}

/** Whether the worker still has its claim. Locks the row, so that no other one claims it before the transaction ends. */
export async function isClaimed(db: Db, claim: { lease_key: string; lease_until: string }): Promise<boolean> {
  const text = `select 1 from key_result_recount where project_id = $1 and due_at = $2::timestamptz for update`;
  return (await db.query({ name: "recount_claimed", text }, [claim.lease_key, claim.lease_until])).length > 0;
}

/** SQL: whether workspace `$1` has automatic key results. */
export const AUTOMATIC_EXIST = `
  exists (select from key_result where workspace_id = $1 and kind = 'auto' and deleted_at is null)`;

/** Fields of issues, columns and projects on which counts depend. */
export const COUNTED: readonly string[] = [
  ...["status", "status_id", "type", "story_points", "labels", "assignee_id", "assignees", "parent_id"],
  ...["milestone_id", "sprint_id", "release_id", "archived_at", "category", "scoped"],
];

/**
 * SQL for the relay: whether event `e` may change a count. If the project waits to be counted and nobody counts it yet, the
 * count will find the change, because it is committed.
 */
export const CHANGES_COUNTS = `
  (e.changed is null or e.changed && '{${COUNTED.join(",")}}')
  and not exists (
    select from key_result_recount r
    where r.project_id = e.project_id and r.due_at is not null and r.claimed_by is null offset 0)`;
