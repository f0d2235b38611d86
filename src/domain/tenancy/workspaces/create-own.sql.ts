import type { Db } from "../../kernel/ports/ports.ts";

/** Statements for creating a workspace, before a workspace exists. */

/**
 * The number of workspaces that a person owns and that were created after `since`. Takes a lock per person, so that
 * concurrent requests are counted one by one.
 */
export async function countOwnedSince(db: Db, userId: string, since: string): Promise<number> {
  await db.query({ text: `select pg_advisory_xact_lock(hashtextextended('found ' || $1, 0))` }, [userId]);
  const [row] = await db.query<{ founded: number }>(
    {
      text: `
        select count(*)::int as founded from member m join workspace w on w.id = m.workspace_id
        where m.user_id = $1 and m.role = 'owner' and w.created_at > $2`,
    },
    [userId, since],
  );
  return row?.founded ?? 0;
}

export async function takenSlugs(db: Db, slugs: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ slug: string }>({ text: `select slug from workspace where slug = any($1)` }, [slugs]);
  return rows.map(({ slug }) => slug);
}
