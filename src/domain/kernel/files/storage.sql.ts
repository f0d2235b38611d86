import type { Db } from "../ports/ports.ts";

/**
 * A workspace's storage account and the objects that hold its bytes. Order of locks: issue, comment, attachment, object,
 * and the account last of all.
 */

const RESERVE = {
  name: "storage_reserve",
  text: `
    insert into storage_account as a (workspace_id, used_bytes)
    select $1::uuid, $2::bigint where $3::bigint is null or $2::bigint <= $3::bigint
    on conflict (workspace_id) do update set used_bytes = a.used_bytes + excluded.used_bytes
      where $3::bigint is null or a.used_bytes + excluded.used_bytes <= $3::bigint
    returning used_bytes`,
};

/** Adds bytes to the used storage if they fit below the limit. Calls at the same time wait for each other's commit. */
export async function takeBytes(db: Db, workspaceId: string, bytes: number, cap: number | null): Promise<boolean> {
  return (await db.query(RESERVE, [workspaceId, bytes, cap])).length > 0;
}

export async function giveBytesBack(db: Db, workspaceId: string, bytes: number): Promise<void> {
  const text = `update storage_account set used_bytes = used_bytes - $2 where workspace_id = $1`;
  await db.query({ name: "storage_give_back", text }, [workspaceId, bytes]);
}

export async function readUsedBytes(db: Db, workspaceId: string): Promise<number> {
  const text = `select used_bytes from storage_account where workspace_id = $1`;
  const [row] = await db.query<{ used_bytes: number }>({ name: "storage_used", text }, [workspaceId]);
  return row?.used_bytes ?? 0;
}

/**
 * Records that an object may be stored under a key. It is removed after `removeAfter` unless `keepObject` is called.
 */
export async function expectObject(db: Db, workspaceId: string, key: string, removeAfter: string): Promise<void> {
  const text = `insert into stored_object (key, workspace_id, remove_after) values ($2, $1, $3::timestamptz)`;
  await db.query({ name: "object_expect", text }, [workspaceId, key, removeAfter]);
}

/** Keeps an object permanently. Returns false if its removal has begun. */
export async function keepObject(db: Db, workspaceId: string, key: string): Promise<boolean> {
  const text = `update stored_object set remove_after = null where workspace_id = $1 and key = $2 and not removing returning 1`;
  return (await db.query({ name: "object_keep", text }, [workspaceId, key])).length > 0;
}

/** Marks objects as unused. The first collection after that time removes them. */
export async function dropObjects(db: Db, workspaceId: string, keys: readonly string[], after: string): Promise<void> {
  const text = `update stored_object set remove_after = $3::timestamptz where workspace_id = $1 and key = any($2::text[])`;
  await db.query({ name: "object_drop", text }, [workspaceId, keys, after]);
}

/** Starts the removal of an object that was not kept. Returns false if it was kept or does not exist. */
export async function giveUpObject(db: Db, workspaceId: string, key: string, now: string): Promise<boolean> {
  const text = `
    update stored_object set removing = true, remove_after = $3::timestamptz
    where workspace_id = $1 and key = $2 and remove_after is not null
    returning 1`;
  return (await db.query({ name: "object_give_up", text }, [workspaceId, key, now])).length > 0;
}

/** Deletes the row of an object whose bytes are removed. */
export async function deleteObjectRecord(db: Db, workspaceId: string, key: string): Promise<void> {
  const text = `delete from stored_object where workspace_id = $1 and key = $2 and removing`;
  await db.query({ name: "object_forget", text }, [workspaceId, key]);
}
