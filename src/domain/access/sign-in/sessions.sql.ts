import { byName } from "../../kernel/paging.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { Visitor } from "./sessions.ts";

/** Sessions belong to people, who may be in several workspaces. So these statements have no tenant. */

export async function insertSession(
  db: Db,
  s: { id: string; hash: Buffer; userId: string; address: string; userAgent: string; now: string; expiresAt: string },
): Promise<void> {
  await db.query(
    {
      text: `
        insert into session (id, hash, user_id, address, user_agent, created_at, last_seen_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    },
    [s.id, s.hash, s.userId, s.address, s.userAgent, s.now, s.expiresAt],
  );
}

type FoundSession = Omit<Visitor, "hash"> & { last_seen_at: string };

/** Whoever deletes their account has no address any more, nor has a session that began at the same moment. */
export async function findSession(db: Db, hash: Buffer, now: string): Promise<FoundSession | null> {
  const [row] = await db.query<FoundSession>(
    {
      name: "find_session",
      text: `
        select s.id as session_id, s.created_at as signed_in_at, s.last_seen_at,
               json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'timezone', u.timezone) as "user",
               coalesce((
                 select json_agg(json_build_object('id', w.id, 'slug', w.slug, 'name', w.name, 'plan', w.plan,
                                                   'timezone', w.timezone, 'role', m.role) order by ${byName("w.name")}, w.id)
                 from member m join workspace w on w.id = m.workspace_id
                 where m.user_id = u.id and m.status = 'active'), '[]') as workspaces
        from session s join app_user u on u.id = s.user_id
        where s.hash = $1 and s.expires_at > $2 and u.email is not null`,
    },
    [hash, now],
  );
  return row ?? null;
}

/** Records the use of a session. It then expires at `expiresAt`, but at most `maxDays` after it was opened. */
export async function touchSession(
  db: Db,
  id: string,
  { now, expiresAt, maxDays }: { now: string; expiresAt: string; maxDays: number },
): Promise<void> {
  await db.query(
    {
      text: `
        update session set last_seen_at = $2, expires_at = least($3, created_at + $4 * interval '1 day') where id = $1`,
    },
    [id, now, expiresAt, maxDays],
  );
}

/** A workspace in which streams of a person may be open whose session has ended. Null for a person without workspaces. */
export type Ended = { user_id: string; workspace_id: string | null };

const ending = (which: string): string => `
  with gone as (delete from session where ${which} returning user_id)
  select distinct g.user_id, m.workspace_id from gone g left join member m on m.user_id = g.user_id`;

export const deleteSession = (db: Db, hash: Buffer): Promise<Ended[]> =>
  db.query<Ended>({ text: ending("hash = $1") }, [hash]);

export const deleteSessionsOf = (db: Db, userId: string): Promise<Ended[]> =>
  db.query<Ended>({ text: ending("user_id = $1") }, [userId]);

/** Nothing is returned if the person has no such session. */
export const deleteSessionOf = (db: Db, userId: string, id: string): Promise<Ended[]> =>
  db.query<Ended>({ text: ending("user_id = $1 and id = $2") }, [userId, id]);

/** Ends the other sessions of a person. */
export const deleteOtherSessions = (db: Db, userId: string, id: string): Promise<Ended[]> =>
  db.query<Ended>({ text: ending("user_id = $1 and id <> $2") }, [userId, id]);

export type SessionRow = {
  id: string;
  address: string | null;
  user_agent: string | null;
  created_at: string;
  last_seen_at: string;
};

/** The open sessions of a person, last used first. */
export async function listOpenSessions(
  db: Db,
  userId: string,
  { now, limit }: { now: string; limit: number },
): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    {
      name: "list_open_sessions",
      text: `
        select id, address, user_agent, created_at, last_seen_at from session
        where user_id = $1 and expires_at > $2 order by last_seen_at desc, id desc limit $3`,
    },
    [userId, now, limit],
  );
}
