import type { Cause } from "../../kernel/context.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { workspaceJson } from "../../kernel/present.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";

/** Which sessions the rows around them contradict: SQL for finding them, and for looking again under their locks. */

/** What has to happen to a session `s`, as a word of `MOVES`; null: nothing. */
const owed = (hours: string) => `
  case
    when s.ended_at is not null then null
    when i.archived_at is not null or p.archived_at is not null then 'issue_archived'
    when a.revoked_at is not null then 'agent_revoked'
    when u.kind = 'person' and not exists (
      select from member m where m.workspace_id = s.workspace_id and m.user_id = s.agent_id) then 'member_removed'
    when a.paused_at is not null and s.state in ('running', 'review') then 'agent_paused'
    when a.paused_at is null and s.state_before_pause is not null then 'agent_resumed'
    when s.state = 'running' and s.last_activity_at <= now() - nullif(${hours}::float8, 0) * interval '1 hour'
      then 'heartbeat_lost'
  end`;

const around = `
  join app_user u on u.id = s.agent_id
  left join agent a on a.user_id = s.agent_id
  left join issue i on i.id = s.issue_id
  left join project p on p.id = s.project_id`;

export type Owed =
  | "issue_archived"
  | "agent_revoked"
  | "member_removed"
  | "agent_paused"
  | "agent_resumed"
  | "heartbeat_lost";

/** What has to happen to a session, which is locked, and its workspace. */
export async function readOwed(db: Db, sessionId: string, silentHours: number) {
  const text = `
    select ${workspaceJson} as workspace, ${owed("$2")} as owed
    from agent_session s join workspace w on w.id = s.workspace_id ${around} where s.id = $1`;
  const [row] = await db.query<{ workspace: Workspace; owed: Owed | null }>({ name: "owed_by_session", text }, [
    sessionId,
    silentHours,
  ]);
  return row!;
}

export type Found = { id: string; workspace_id: string; agent_id: string; issue_id: string | null };
/** With the event that changed something around the session. */
export type FoundByEvent = Found & { event: { id: string; cause: Cause } };

/** The last session of the page before, in this order. */
export type After = Pick<Found, "workspace_id" | "id"> | undefined;

const FIND = {
  name: "sessions_that_owe",
  text: `
    select s.id, s.workspace_id, s.agent_id, s.issue_id from agent_session s ${around}
    where s.ended_at is null and ${owed("$1")} is not null
      and ($2::uuid is null or (s.workspace_id, s.id) > ($2, $3::uuid))
    order by s.workspace_id, s.id limit $4`,
};

/** A page of the sessions of all workspaces to which something has to happen. */
export const findOwed = (db: Db, hours: number, { after, limit }: { after: After; limit: number }): Promise<Found[]> =>
  db.query<Found>(FIND, [hours, after?.workspace_id ?? null, after?.id ?? null, limit]);

/** SQL: whether session `s` is about the issue, the project, the agent or the person of event `e`. */
const CONCERNED = `
  case e.type
    when 'issue.archived' then s.issue_id = e.issue_id
    when 'project.archived' then s.project_id = e.project_id
    when 'member.removed' then s.agent_id = (e.data ->> 'user_id')::uuid
    else s.agent_id = (e.data ->> 'agent_id')::uuid
  end`;

/** SQL: whether an open session is concerned by event `e`. */
export const CONCERNS_SESSIONS = `
  exists (select from agent_session s where s.workspace_id = e.workspace_id and s.ended_at is null and ${CONCERNED})`;

/** SQL: whether workspace `$1` has an open session. */
export const HAS_OPEN_SESSIONS = `
  exists (select from agent_session s where s.workspace_id = $1 and s.ended_at is null)`;

const FIND_BY_EVENTS = {
  name: "sessions_of_events",
  text: `
    select distinct on (s.id) s.id, s.workspace_id, s.agent_id, s.issue_id,
           json_build_object('id', e.id, 'cause', e.cause) as event
    from event e join agent_session s on s.workspace_id = e.workspace_id and s.ended_at is null and ${CONCERNED}
    ${around}
    where e.workspace_id = $2 and e.id = any($3::uuid[]) and ${owed("$1")} is not null
      and ($4::uuid is null or s.id > $4)
    order by s.id, e.id limit $5`,
};

/** A page of the sessions in a workspace to which something has to happen, now that these events have happened. */
export const findOwedOf = (
  db: Db,
  hours: number,
  { workspaceId, eventIds }: { workspaceId: string; eventIds: readonly string[] },
  { after, limit }: { after: After; limit: number },
): Promise<FoundByEvent[]> =>
  db.query<FoundByEvent>(FIND_BY_EVENTS, [hours, workspaceId, eventIds, after?.id ?? null, limit]);
