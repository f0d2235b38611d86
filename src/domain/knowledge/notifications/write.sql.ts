import { ownerOf } from "../../access/agents/owner.sql.ts";
import { VISIBLE_TO_MEMBER } from "../../access/identity/visible.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Happened, Notice, Subject } from "./notice.ts";
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
  /** An instant that ends the title, in the time zone of each reader. */
  title_time?: string | null;
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

/** The form in which pages show times. */
const TITLE = `
  title || case when title_time is null then '' else to_char(
    title_time at time zone known_zone(coalesce(
      (select timezone from app_user where id = user_id), (select timezone from workspace where id = $1))),
    '" "FMDD Mon YYYY, HH24:MI') end`;

const WRITE = {
  name: "write_notifications",
  text: `
    with notice as materialized (
      select * from jsonb_to_recordset($2::jsonb) as t(
        cause_id uuid, place int, kind text, title text, body text, actor_id uuid, actor_name text, people uuid[],
        circle text, issue_id uuid, comment_id uuid, doc_id uuid, goal_id uuid, channel_id uuid, message_id uuid,
        session_id uuid, admins_only boolean, title_time timestamptz)
    ),
    reader as materialized (
      select n.place, r.user_id from notice n cross join lateral (
        select unnest(n.people) as user_id
        union
        -- What only concerns them as watchers, assignees and the like is kept from those who stopped watching the issue.
        select k.user_id from (
        select w.user_id from watcher w
        where n.circle in ('watchers', 'involved') and w.workspace_id = $1 and w.issue_id = n.issue_id
        union
        select unnest(array_append(i.assignee_ids, i.reporter_id)) from issue i
        where n.circle = 'involved' and i.workspace_id = $1 and i.id = n.issue_id
        union
        select unnest(case when i.assignee_ids = '{}' then array[i.reporter_id] else i.assignee_ids end) from issue i
        where n.circle = 'responsible' and i.workspace_id = $1 and i.id = n.issue_id and i.resolved_at is null
          and i.archived_at is null) k
        where not exists (select from issue_unwatched u where u.issue_id = n.issue_id and u.user_id = k.user_id)
        union
        select w.user_id from goal_watcher w
        where n.circle = 'watchers' and w.workspace_id = $1 and w.goal_id = n.goal_id
        union
        select cm.user_id from chat_member cm join chat_channel c on c.id = cm.channel_id
        where n.circle = 'correspondents' and cm.workspace_id = $1 and cm.channel_id = n.channel_id and c.kind = 'dm'
          and cm.muted_at is null
        union
        select d.owner_id from doc d
        where n.circle = 'author' and d.workspace_id = $1 and d.id = n.doc_id and not exists (
          select from doc_watcher w where w.doc_id = d.id and w.user_id = d.owner_id and w.stopped_at is not null)
        union
        select w.user_id from doc_watcher w
        where n.circle = 'doc_watchers' and w.workspace_id = $1 and w.doc_id = n.doc_id and w.stopped_at is null
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
        -- The text may have changed since.
        and (n.kind not in ('mentioned', 'chat_mention') or coalesce(cm.mentions, dc.mentions, msg.mentions) is null
             or coalesce(cm.mentions, dc.mentions, msg.mentions) @> jsonb_build_array(jsonb_build_object('id', m.user_id)))
        and ${seesSubject({ project: VISIBLE_TO_MEMBER, user: "m.user_id", isAdmin: "m.role in ('owner', 'admin')" })}
      order by n.cause_id, m.user_id, n.place
    ),
    written as (
      -- In one order, so that jobs that run again at the same moment do not wait for each other's rows. It is also that
      -- of the events.
      insert into notification (id, workspace_id, user_id, cause_id, kind, title, body, actor_id, actor_name, issue_id,
                                doc_id, comment_id, goal_id, channel_id, message_id, session_id, admins_only, created_at)
      select uuidv7(), $1, user_id, cause_id, kind, ${TITLE}, body, actor_id, actor_name, issue_id, doc_id, comment_id,
             goal_id, channel_id, message_id, session_id, admins_only, now()
      from (select * from heard order by cause_id, user_id) in_order
      on conflict do nothing
      returning user_id, kind, cause_id, issue_id, doc_id
    ),
    -- A mention in a text ends that somebody had stopped watching it before. The id of the event has its time.
    again as (
      delete from issue_unwatched u using written w
      where w.kind = 'mentioned' and u.issue_id = w.issue_id and u.user_id = w.user_id
        and u.created_at < uuid_extract_timestamp(w.cause_id)
    ),
    doc_again as (
      update doc_watcher u set stopped_at = null from written w
      where w.kind = 'mentioned' and u.doc_id = w.doc_id and u.user_id = w.user_id
        and u.stopped_at < uuid_extract_timestamp(w.cause_id)
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

/** People whom an object no longer mentions. */
export type Unmentioned = Pick<Subject, "issue_id" | "comment_id" | "doc_id" | "message_id"> & {
  people: readonly string[];
};

/** Deletes the notifications of mentions that are gone, because they would show who was mentioned and where. */
export async function deleteMentions(db: Db, workspaceId: string, gone: readonly Unmentioned[]): Promise<void> {
  if (gone.length === 0) return;
  const text = `
    with gone as (
      select t.*, p.user_id from jsonb_to_recordset($2::jsonb)
        as t(people uuid[], issue_id uuid, comment_id uuid, doc_id uuid, message_id uuid), unnest(t.people) p(user_id)),
    theirs as (
      select n.id from notification n join gone g on g.user_id = n.user_id
      where n.workspace_id = $1 and n.kind in ('mentioned', 'chat_mention')
        and n.comment_id is not distinct from g.comment_id and (
          n.message_id = g.message_id or n.doc_id = g.doc_id or n.issue_id = g.issue_id)
      order by n.id for update of n)
    delete from notification where id in (select id from theirs)`;
  await db.query({ name: "delete_mentions", text }, [workspaceId, JSON.stringify(gone)]);
}
