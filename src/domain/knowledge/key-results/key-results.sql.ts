import type { InWorkspace } from "../../kernel/context.ts";
import { fractionOf, percentOf } from "../goals/fraction.sql.ts";
import type { InTree } from "./count.sql.ts";
import type { KeyResultView } from "./view.ts";

const columns = `
  k.id, k.goal_id, k.title, k.kind, k.unit, k.start_value, k.target_value, k.current_value, k.weight, k.scope,
  ${percentOf("k.progress")} as progress_pct, k.created_at, k.updated_at, k.owner_user_id, k.due_at, k.due_on, k.measure,
  k.completed, k.total, k.updated_value_at`;

/** Returns the key results of a goal, newest first. */
export function listKeyResults({ db, workspace }: InWorkspace, goalId: string): Promise<KeyResultView[]> {
  return db.query<KeyResultView>(
    {
      name: "list_key_results",
      text: `
        select ${columns} from key_result k
        where k.workspace_id = $1 and k.goal_id = $2 and k.deleted_at is null order by k.created_at desc, k.id desc`,
    },
    [workspace.id, goalId],
  );
}

/** Returns key results by id, in no order. Deleted ones are left out. */
export function readKeyResults({ db, workspace }: InTree, ids: readonly string[]): Promise<KeyResultView[]> {
  return db.query<KeyResultView>(
    {
      name: "read_key_results",
      text: `
        select ${columns} from key_result k
        where k.workspace_id = $1 and k.id = any($2::uuid[]) and k.deleted_at is null`,
    },
    [workspace.id, ids],
  );
}

export async function countKeyResults({ db, workspace }: InWorkspace, goalId: string): Promise<number> {
  const text = `
    select count(*) as key_results from key_result where workspace_id = $1 and goal_id = $2 and deleted_at is null`;
  const [row] = await db.query<{ key_results: number }>({ name: "count_key_results", text }, [workspace.id, goalId]);
  return row!.key_results;
}

const START = "coalesce(start_value, 0)";
const RANGE = `(target_value - ${START})`;

// The range of values may lead up or down.
const PROGRESS = `
  case when kind = 'auto' then case when total > 0 then ${fractionOf("completed", "total")} end
       when target_value is null or current_value is null then null
       when ${RANGE} = 0 then case when current_value >= target_value then 1 else 0 end
       else ${fractionOf(`((current_value - ${START}) * sign(${RANGE}))`, `abs(${RANGE})`)} end`;

/** Computes the progress of key results from their values or counts. */
export async function computeProgress({ db, workspace }: InTree, ids: readonly string[]): Promise<void> {
  await db.query(
    {
      name: "compute_key_result_progress",
      text: `update key_result set progress = ${PROGRESS} where workspace_id = $1 and id = any($2::uuid[])`,
    },
    [workspace.id, ids],
  );
}
