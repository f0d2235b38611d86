import type { Db } from "../../kernel/ports/ports.ts";
import type { Happened } from "./happened.ts";

/** How long after an automation woke an agent the agent's changes continue the chain of causes. */
const WAKE_LASTS = "24 hours";
/** The clocks of processes differ by less. */
const SKEW = "1 second";

const READ = {
  name: "automation_events",
  text: `
    select v.version, e.* from (
      select coalesce((select version from automation_version where workspace_id = $1), 0) as version) v
    left join lateral (
      select e.id, e.type, e.project_id, e.issue_id, e.actor_id, e.actor_kind, e.actor_name, e.truncated, e.created_at,
             e.data, coalesce(e.changed, '{}') as changed, coalesce(e.context, '{}') as context,
             case when e.previous ? 'status_id' then e.previous || jsonb_build_object('status_name', st.name)
                  else coalesce(e.previous, '{}') end as previous,
             case when w.depth is null then e.cause
                  else e.cause || jsonb_build_object('root_event_id', w.root_event_id, 'depth', w.depth + 1) end as cause
      from event e
      left join board_status st on st.id = (e.previous ->> 'status_id')::uuid
      -- An issue that the woken agent has created since belongs to the chain too, or each wake could lead to the next issue.
      left join issue i on e.actor_kind = 'agent' and i.id = e.issue_id and i.created_by = e.actor_id
      left join lateral (
        select w.root_event_id, w.depth from agent_wake w
        where e.actor_kind = 'agent' and not e.cause ? 'root_event_id' and w.agent_id = e.actor_id
          and w.workspace_id = e.workspace_id and (w.issue_id is null or w.issue_id = e.issue_id
            or i.created_at > w.created_at - interval '${SKEW}')
          and w.created_at <= e.created_at + interval '${SKEW}'
          and w.created_at > e.created_at - interval '${WAKE_LASTS}'
        order by w.created_at desc limit 1) w on true
      where e.workspace_id = $1 and e.id = any($2::uuid[])) e on true
    order by e.id`,
};

/** Events of one workspace in the order in which they happened, and the version of the workspace's automations. */
export async function readHappened(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ version: number; events: Happened[] }> {
  const rows = await db.query<Happened & { version: number; id: string | null }>(READ, [workspaceId, ids]);
  return { version: rows[0]!.version, events: rows.filter(({ id }) => id !== null) };
}
