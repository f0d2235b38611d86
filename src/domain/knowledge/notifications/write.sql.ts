import { ownerOf } from "../../access/agents/owner.sql.ts";
import { VISIBLE_TO_MEMBER } from "../../access/identity/visible.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Happened, Notice } from "./notice.ts";
import { seesSubject, subjectJoins } from "./subject.sql.ts";

export type EventToNotify = Happened<unknown> & { type: string };

/** Events of one workspace, in the order in which they happened. */
export const eventsToNotify = (db: Db, workspaceId: string, ids: readonly string[]): Promise<EventToNotify[]> =>
  db.query(
    {
      name: "events_to_notify",
      text: `
        select e.id, e.type, coalesce(e.actor_id, author.id) as actor_id, coalesce(e.actor_name, author.name) as actor_name,
               e.issue_id, i.key as issue_key, i.title as issue_title, e.data,
               coalesce(e.previous, '{}') as previous, coalesce(e.changed, '{}') as changed,
               coalesce(e.context, '{}') as context
        from event e left join issue i on i.id = e.issue_id
        -- A streamed message whose author fell silent was ended by nobody, and is still the author's.
        left join app_user author on e.actor_id is null and author.id = (e.data ->> 'author_id')::uuid
        where e.workspace_id = $1 and e.id = any($2::uuid[]) order by e.id`,
    },
    [workspaceId, ids],
  );

/** A notice of an event. Somebody to whom several notices of a cause apply gets the one with the lowest `place`. */
export type PlacedNotice = Notice & {
  cause_id: string;
  place: number;
  actor_id: string | null;
  actor_name: string | null;
};

/** The circles of a session. An agent hears nothing of its own sessions. */
const OF_SESSION = `
  select k.user_id from agent_session s join app_user u on u.id = s.agent_id cross join lateral (
    select unnest(array[s.started_by, ${ownerOf("u")}]) as user_id
    union
    select w.user_id from watcher w
    where n.circle = 'session_followers' and w.workspace_id = $1 and w.issue_id = s.issue_id
    union
    (select a.actor_id from activity a
     where n.circle = 'session_followers' and a.issue_id = s.issue_id and a.kind = 'assigned'
       and a.payload -> 'to' ? s.agent_id::text
     order by a.id desc limit 1)) k
  where n.circle in ('session_owners', 'session_followers') and s.workspace_id = $1 and s.id = n.session_id
    and (u.kind <> 'agent' or k.user_id is distinct from s.agent_id)`;

const WRITE = {
  name: "write_notifications",
  text: `
    with notice as materialized (
      select * from jsonb_to_recordset($2::jsonb) as t(
        cause_id uuid, place int, kind text, title text, body text, actor_id uuid, actor_name text, people uuid[],
        circle text, issue_id uuid, comment_id uuid, doc_id uuid, goal_id uuid, channel_id uuid, message_id uuid,
        session_id uuid, admins_only boolean)
    ),
    reader as materialized (
      select n.place, r.user_id from notice n cross join lateral (
        select unnest(n.people) as user_id
        union
        select w.user_id from watcher w
        where n.circle in ('watchers', 'involved') and w.workspace_id = $1 and w.issue_id = n.issue_id
        union
        select unnest(array_append(i.assignee_ids, i.reporter_id)) from issue i
        where n.circle = 'involved' and i.workspace_id = $1 and i.id = n.issue_id
        union
        select unnest(case when i.assignee_ids = '{}' then array[i.reporter_id] else i.assignee_ids end) from issue i
        where n.circle = 'responsible' and i.workspace_id = $1 and i.id = n.issue_id and i.resolved_at is null
          and i.archived_at is null
        union
        select w.user_id from goal_watcher w
        where n.circle = 'watchers' and w.workspace_id = $1 and w.goal_id = n.goal_id
        union
        select cm.user_id from chat_member cm join chat_channel c on c.id = cm.channel_id
        where n.circle = 'correspondents' and cm.workspace_id = $1 and cm.channel_id = n.channel_id and c.kind = 'dm'
        union
        select d.owner_id from doc d where n.circle = 'author' and d.workspace_id = $1 and d.id = n.doc_id
        union
        select m.user_id from member m
        where n.circle = 'admins' and m.workspace_id = $1 and m.role in ('owner', 'admin')
        union
        ${OF_SESSION}
      ) r
    ),
    heard as (
      select distinct on (n.cause_id, m.user_id) n.*, m.user_id
      from reader r
      -- "offset 0" keeps this a lookup for each reader. A join might search all readers for each member.
      cross join lateral (
        select m.user_id, m.role from member m
        where m.workspace_id = $1 and m.user_id = r.user_id and m.status = 'active' offset 0) m
      join notice n on n.place = r.place
      ${subjectJoins}
      where m.user_id is distinct from n.actor_id
        and ${seesSubject({ project: VISIBLE_TO_MEMBER, user: "m.user_id", isAdmin: "m.role in ('owner', 'admin')" })}
      order by n.cause_id, m.user_id, n.place
    ),
    written as (
      -- In one order, so that jobs that run again at the same moment do not wait for each other's rows. It is also that
      -- of the events.
      insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, actor_id, actor_name, issue_id,
                                doc_id, comment_id, goal_id, channel_id, message_id, session_id, admins_only, created_at)
      select uuidv7(), $1, user_id, cause_id, kind, title, body, actor_id, actor_name, issue_id, doc_id, comment_id,
             goal_id, channel_id, message_id, session_id, admins_only, now()
      from (select * from heard order by cause_id, user_id) in_order
      on conflict do nothing
      returning user_id
    )
    select count(*)::int as count, coalesce(array_agg(distinct user_id), '{}') as readers from written`,
};

/**
 * Writes notices for everybody they apply to who sees what they are about. People who have one of the same cause get no
 * other. Returns how many notifications were written, and the ids of the people who got one.
 */
export async function writeNotices(
  db: Db,
  workspaceId: string,
  notices: readonly PlacedNotice[],
): Promise<{ count: number; readers: string[] }> {
  const rows = notices.map(({ about, ...notice }) => ({ admins_only: false, ...notice, ...about }));
  const [row] = await db.query<{ count: number; readers: string[] }>(WRITE, [workspaceId, JSON.stringify(rows)]);
  return row!;
}
