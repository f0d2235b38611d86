import type { Db } from "../../kernel/ports/ports.ts";
import type { ClientMetadata } from "./registration.ts";

/** Registered programs. They belong to no workspace until a person approves them for one. */

export type ClientRow = { id: string; name: string; metadata: ClientMetadata; workspace_slug: string | null };

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
      text: `select id, name, metadata, workspace_slug from oauth_client where id = $1 and revoked_at is null`,
    },
    [id],
  );
  return row ?? null;
}

/**
 * Marks a client as approved, so that it is not deleted as unused. Clients that publish their own metadata have no
 * row.
 */
export async function approveClient(db: Db, id: string, now: string): Promise<void> {
  await db.query(
    { text: `update oauth_client set approved_at = coalesce(approved_at, $2), last_used_at = $2 where id = $1` },
    [id, now],
  );
}
