import type { Db } from "./ports.ts";

/** Rows that refer to the workspace can still be written meanwhile, by those who do not ask for the same lock. */
export async function holdWorkspace(db: Db, workspaceId: string): Promise<void> {
  await db.query({ text: `select 1 from workspace where id = $1 for no key update` }, [workspaceId]);
}
