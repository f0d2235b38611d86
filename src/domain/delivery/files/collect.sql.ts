import { inMs, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** Clean-up of files of all workspaces, in batches. */

/** Returns workspaces with uploads that were not committed in time. */
export async function workspacesWithEndedUploads(db: Db, now: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ workspace_id: string }>(
    {
      text: `
        select distinct workspace_id from (
          select workspace_id from attachment where object_key is null and expires_at < $1::timestamptz
          order by expires_at limit $2) ended`,
    },
    [now, limit],
  );
  return rows.map(({ workspace_id }) => workspace_id);
}

/**
 * Deletes a workspace's uploads that were not committed in time, and frees the storage that they reserved. The uploaded
 * bytes are removed separately. It waits for no lock: a workspace whose account is locked is skipped until the next
 * run.
 * @returns how many uploads ended
 */
export async function endUploads(db: Db, workspaceId: string, now: string, limit: number): Promise<number> {
  const [row] = await db.query<{ ended: number }>(
    {
      text: `
        with account as materialized (
          select workspace_id from storage_account where workspace_id = $1 for no key update skip locked),
        ended as (
          delete from attachment where workspace_id = $1 and id = any(array(
            select t.id from attachment t join account using (workspace_id)
            where t.object_key is null and t.expires_at < $2::timestamptz
            order by t.expires_at limit $3 for update of t skip locked))
          returning byte_size),
        freed as (
          update storage_account set used_bytes = used_bytes - (select sum(byte_size) from ended)
          where workspace_id = $1 and exists (select from ended))
        select count(*)::int as ended from ended`,
    },
    [workspaceId, now, limit],
  );
  return row?.ended ?? 0;
}

/** How long the removal of a batch may take. Objects that could not be removed are due again after this time. */
const LEASE_MS = 600_000;

/** Objects to be removed. A claimed object can no longer be used, and is due again until it is removed. */
export const removableObjects = leasedRows<{ key: string }>({
  table: "stored_object",
  key: "key",
  keyType: "text",
  lease: "remove_after",
  open: "remove_after is not null",
  until: inMs(LEASE_MS),
  claiming: "removing = true",
  columns: "key",
});

/** Stores that the bytes are removed. */
export const objectRemoved = removableObjects.ending("removed", { delete: true });

/**
 * Returns issues with files that were archived, or whose project was archived, before a time, so that they can no
 * longer be restored.
 */
export async function issuesPastRestoring(db: Db, before: string, limit: number): Promise<IssueOfWorkspace[]> {
  return db.query<IssueOfWorkspace>(
    {
      text: `
        (select workspace_id, id from issue
         where archived_at is not null and attachment_count > 0 and archived_at < $1::timestamptz limit $2)
        union
        (select i.workspace_id, i.id from project p join issue i on i.project_id = p.id and i.attachment_count > 0
         where p.archived_at < $1::timestamptz limit $2)`,
    },
    [before, limit],
  );
}

export type IssueOfWorkspace = { workspace_id: string; id: string };

/** Deletes some files of an issue: marks their objects for removal and frees their storage. Returns how many. */
export async function freeFiles(db: Db, issue: IssueOfWorkspace, now: string, limit: number): Promise<number> {
  const [row] = await db.query<{ freed: number }>(
    {
      text: `
        with held as (select id from only issue where workspace_id = $1 and id = $2 for no key update),
        gone as (
          delete from attachment where id = any(array(
            select a.id from attachment a join held on held.id = a.issue_id
            where a.workspace_id = $1 and a.object_key is not null limit $4))
          returning object_key, byte_size),
        dropped as (
          update stored_object set remove_after = $3::timestamptz
          where workspace_id = $1 and key in (select object_key from gone)),
        counted as (
          update issue set attachment_count = attachment_count - (select count(*) from gone)
          where workspace_id = $1 and id = $2),
        freed as (
          update storage_account set used_bytes = used_bytes - (select coalesce(sum(byte_size), 0) from gone)
          where workspace_id = $1)
        select count(*) as freed from gone`,
    },
    [issue.workspace_id, issue.id, now, limit],
  );
  return row?.freed ?? 0;
}
