import type { Db } from "../../kernel/ports/ports.ts";

/** Which automations and workflows a plan stops, and which it starts again. */

/** A kind of object of which a plan allows a number of enabled ones. */
type Kind = "automation" | "workflow";

const ENABLED: Record<Kind, string> = { automation: "enabled", workflow: "status = 'enabled'" };
const STOPPED: Record<Kind, string> = {
  automation: "not enabled and disabled_reason = 'plan'",
  // Its graph may have been changed since.
  workflow: "status = 'draft' and disabled_reason = 'plan' and problems = '[]'",
};

/** @param limit null for no limit */
type Fit = { workspaceId: string; limit: number | null; batch: number };

/** The enabled ones above the limit: the newest. */
export const aboveLimit = (db: Db, kind: Kind, { workspaceId, limit, batch }: Fit): Promise<string[]> =>
  limit === null
    ? Promise.resolve([])
    : idsIn(
        db,
        `${kind}_above_limit`,
        `select id from (
           select id, row_number() over (order by created_at, id) as place from ${kind}
           where workspace_id = $1 and ${ENABLED[kind]} and deleted_at is null) enabled
         where place > $2 order by place desc limit $3`,
        [workspaceId, limit, batch],
      );

/** Those that a plan stopped and that there is room for now: the oldest. */
export const withinLimit = (db: Db, kind: Kind, { workspaceId, limit, batch }: Fit): Promise<string[]> =>
  idsIn(
    db,
    `${kind}_within_limit`,
    `select id from ${kind} where workspace_id = $1 and ${STOPPED[kind]} and deleted_at is null
     order by created_at, id
     limit least($3::bigint, greatest(0, $2::bigint - (
       select count(*) from ${kind} where workspace_id = $1 and ${ENABLED[kind]} and deleted_at is null)))`,
    [workspaceId, limit ?? Number.MAX_SAFE_INTEGER, batch],
  );

async function idsIn(db: Db, name: string, text: string, values: unknown[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>({ name, text }, values);
  return rows.map(({ id }) => id);
}

/** Enables an automation that a plan stopped. @param dueAt when its schedule runs next; null if it has none */
export async function enableRule(
  db: Db,
  workspaceId: string,
  { id, dueAt, now }: { id: string; dueAt: string | null; now: string },
): Promise<void> {
  const text = `
    update automation set enabled = true, disabled_reason = null, due_at = $3, updated_at = $4
    where workspace_id = $1 and id = $2`;
  await db.query({ name: "enable_automation", text }, [workspaceId, id, dueAt, now]);
}

/** Stops a workflow because of the plan, or enables it again. */
export async function setWorkflow(
  db: Db,
  workspaceId: string,
  { id, enabled, now }: { id: string; enabled: boolean; now: string },
): Promise<void> {
  const text = `
    update workflow
    set status = case when $3::boolean then 'enabled' else 'draft' end,
        disabled_reason = case when $3::boolean then null else 'plan' end, updated_at = $4
    where workspace_id = $1 and id = $2`;
  await db.query({ name: "set_workflow", text }, [workspaceId, id, enabled, now]);
}
