import type { Db } from "../../kernel/ports/ports.ts";
import type { Workspace } from "../../kernel/rows.ts";

/** Stores a workspace with an empty credit account. Null if the slug is taken. */
export async function insertWorkspace(db: Db, workspace: Workspace, now: string): Promise<Workspace | null> {
  const [row] = await db.query<Workspace>(
    {
      text: `
        with made as (
          insert into workspace (id, slug, name, plan, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
          on conflict (slug) do nothing
          returning id, slug, name, plan
        ),
        account as (
          insert into credit_account (workspace_id, updated_at) select id, $5::timestamptz from made
        )
        select * from made`,
    },
    [workspace.id, workspace.slug, workspace.name, workspace.plan, now],
  );
  return row ?? null;
}

export async function workspaceIdOf(db: Db, slug: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>({ text: `select id from workspace where slug = $1` }, [slug]);
  return row?.id ?? null;
}
