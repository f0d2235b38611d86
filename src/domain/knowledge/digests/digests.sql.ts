import { inMs, type Lease, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { DELAY, type Frequency, PERIOD } from "./setting.sql.ts";

export type DueDigest = Lease & { user_id: string; frequency: Frequency; since: string; slot_at: string };

/** Longer than the mails of one person take to write. */
const LEASE_MS = 600_000;

/** People whose digest is due. `$2` of a claim is the id of the worker process. */
export const digests = leasedRows<Omit<DueDigest, keyof Lease>>({
  table: "digest_setting",
  key: "user_id",
  lease: "due_at",
  process: "held_by",
  open: "due_at is not null",
  until: inMs(LEASE_MS),
  columns: "user_id, frequency, since, slot_at",
});

/** The same rows for the queue: a setting that no worker has claimed waits for the end of its period. */
export const digestRows = { ...digests, later: `${digests.open} and held_by is null and due_at > now()` };

/** The first end of a period that is still to come. A worker that was away for hours writes one digest, not several. */
const NEXT = `
  slot_at + (${PERIOD}) * (1 + greatest(0, floor(extract(epoch from now() - slot_at) / extract(epoch from ${PERIOD}))))`;

export const digestWritten = digests.ending("written", { set: `slot_at = ${NEXT}`, due: `${NEXT} + ${DELAY}` });

/**
 * Locks the setting of a claimed digest, so that the person cannot end their digests meanwhile. False if they already
 * have, or if the claim is another worker's by now.
 */
export async function lockClaimed(db: Db, { lease_key, lease_until }: Lease): Promise<boolean> {
  const text = `select 1 from digest_setting where user_id = $1 and due_at = $2 for share`;
  return (await db.query({ name: "lock_digest", text }, [lease_key, lease_until])).length > 0;
}

/** Ids of notifications: from the first one up to, but not including, the second one. */
export type Range = readonly [from: string, to: string];

/** Workspaces in which a person has unread notifications in this range that no digest had yet. */
export async function workspacesWithNews(db: Db, userId: string, [from, to]: Range): Promise<string[]> {
  const rows = await db.query<{ workspace_id: string }>(
    {
      name: "workspaces_with_news",
      text: `
        select m.workspace_id from member m
        left join digest_sent s on s.user_id = m.user_id and s.workspace_id = m.workspace_id
        where m.user_id = $1 and m.status = 'active' and exists (
          select from notification n
          where n.user_id = $1 and n.workspace_id = m.workspace_id and n.read_at is null
            and n.id >= greatest(s.until_id, $2::uuid) and n.id < $3::uuid)
        order by m.workspace_id`,
    },
    [userId, from, to],
  );
  return rows.map(({ workspace_id }) => workspace_id);
}

/**
 * Stores that a workspace's notifications up to the end of the range have been handled. Returns the part of the range that
 * had not been before; it may be empty.
 */
export async function advance(db: Db, userId: string, workspaceId: string, [from, to]: Range): Promise<Range> {
  const [row] = await db.query<{ first: string }>(
    {
      name: "advance_digest",
      text: `
        insert into digest_sent as s (user_id, workspace_id, until_id) values ($1, $2, $4)
        on conflict (user_id, workspace_id) do update set until_id = excluded.until_id
        returning greatest(old.until_id, $3::uuid) as first`,
    },
    [userId, workspaceId, from, to],
  );
  return [row!.first, to];
}
