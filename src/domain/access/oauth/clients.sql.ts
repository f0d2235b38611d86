import type { Db } from "../../kernel/ports/ports.ts";
import type { ClientMetadata } from "./registration.ts";

/** Registered programs. Those that registered themselves belong to no workspace; apps belong to the one they are for. */

export type ClientRow = {
  id: string;
  name: string;
  metadata: ClientMetadata;
  /** Slug of the workspace that it asks for or, for an app, belongs to. */
  workspace_slug: string | null;
  /** Null: it registered itself. */
  workspace_id: string | null;
};

export async function insertClient(
  db: Db,
  c: { id: string; name: string; metadata: ClientMetadata; workspaceSlug: string | null; now: string },
): Promise<void> {
  await db.query(
    {
      text: `
        insert into oauth_client (id, name, metadata, workspace_slug, created_at) values ($1, $2, $3, $4, $5)`,
    },
    [c.id, c.name, JSON.stringify(c.metadata), c.workspaceSlug, c.now],
  );
}

/** A client that is not revoked. */
export async function findClient(db: Db, id: string): Promise<ClientRow | null> {
  const [row] = await db.query<ClientRow>(
    {
      name: "oauth_find_client",
      text: `select id, name, metadata, workspace_slug, workspace_id from oauth_client where id = $1 and revoked_at is null`,
    },
    [id],
  );
  return row ?? null;
}

/**
 * Marks a client as approved, so that it is not deleted as unused. Returns false if it was revoked, or is an app of
 * another workspace. Clients that publish their own metadata have no row.
 */
export async function approveClient(db: Db, workspaceId: string, id: string, now: string): Promise<boolean> {
  const [row] = await db.query<{ may: boolean }>(
    {
      text: `
        update oauth_client set approved_at = coalesce(approved_at, $3), last_used_at = $3 where id = $2
        returning revoked_at is null and coalesce(workspace_id = $1, true) as may`,
    },
    [workspaceId, id, now],
  );
  return row?.may ?? true;
}
