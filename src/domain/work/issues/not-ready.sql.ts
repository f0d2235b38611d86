import type { InProject } from "../../kernel/context.ts";
import type { Reason } from "./not-ready.ts";
import { isOfOthers } from "./ready.sql.ts";
import type { Readiness } from "./ready.ts";

type Counted = { reason: Reason; issues: number; examples: { id: string; key: string; assignee_ids: string[] }[] };

/** How many of these open issues there are for each reason why they are not ready, with the first few by rank. */
export function readReasons(
  { db, workspace }: InProject,
  ids: readonly string[],
  { userId, columnIds }: Readiness,
  examples: number,
): Promise<Counted[]> {
  const text = `
    with reason as (
      select i.id, i.key, i.assignee_ids,
        case
          when i.open_blocker_count > 0 then 'blocked'
          when i.active_session_ids <> '{}' then 'held'
          when i.status = 'in_review' then 'in_review'
          when ${isOfOthers("$3")} then 'assigned_to_others'
          when i.status_id <> all($4::uuid[]) then 'not_allowed_by_board'
          else 'being_changed'
        end as reason, row_number() over (order by i.rank, i.id) as place
      from issue i where i.workspace_id = $1 and i.id = any($2::uuid[]))
    select r.reason, count(*)::int as issues,
      (array_agg(json_build_object('id', r.id, 'key', r.key, 'assignee_ids', r.assignee_ids) order by r.place))[:$5]
        as examples
    from reason r group by r.reason order by min(r.place)`;
  return db.query<Counted>({ name: "reasons_not_ready", text }, [workspace.id, ids, userId, columnIds, examples]);
}

/** Open sessions on these issues. */
export function readSessions(
  { db, workspace }: InProject,
  ids: readonly string[],
): Promise<{ issue_id: string; session_id: string; agent_id: string; agent_name: string }[]> {
  const text = `
    select s.issue_id, s.id as session_id, s.agent_id, coalesce(u.name, '') as agent_name
    from agent_session s join app_user u on u.id = s.agent_id
    where s.workspace_id = $1 and s.issue_id = any($2::uuid[]) and s.ended_at is null
    order by s.issue_id, s.id limit 50`;
  return db.query({ name: "sessions_of_some", text }, [workspace.id, ids]);
}
