import { projectColumns, projectJoin, type WithProject } from "../../access/identity/project-access.sql.ts";
import { isCredentialLive } from "../../access/identity/set-up-by.sql.ts";
import { visibility, visibleObject } from "../../access/identity/visible.sql.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { untilHeavy, type Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { RuleRow } from "./view.ts";

const enabled = `a.enabled and ${isCredentialLive("a")}`;

// An automation whose credential has ended is disabled at once. A worker stores it when it would run next.
const columns = `
  a.id, a.name, a.description, ${enabled} as enabled,
  case when a.enabled and not ${isCredentialLive("a")} then 'credential_ended' else a.disabled_reason end
    as disabled_reason, a.trigger, a.trigger_config, a.conditions, a.actions,
  a.project_id, a.allow_chaining, a.on_error, a.created_by, a.key_id, a.key_scopes, a.created_at,
  a.updated_at,
  coalesce(t.run_count, 0) as run_count, coalesce(t.failure_count, 0) as failure_count, t.last_run_at,
  t.last_skipped_at, t.last_skipped_reason`;

const tally = `left join automation_tally t on t.automation_id = a.id`;

/** The automations that the caller sees, newest first. */
export function listRules(
  { db, workspace, principal }: InWorkspace,
  after: Cursor | null,
  limit: number,
): Promise<Weighed<RuleRow>[]> {
  const beyond = after ? "and (a.created_at, a.id) < ($7::timestamptz, $8::uuid)" : "";
  const text = untilHeavy(
    `select ${columns},
            octet_length(a.actions::text) + coalesce(octet_length(a.conditions::text), 0)
              + coalesce(octet_length(a.description), 0) as bytes
     from automation a ${tally} left join project p on p.id = a.project_id
     where a.workspace_id = $1 and a.deleted_at is null and ${visibleObject(2)} ${beyond}
     order by a.created_at desc, a.id desc limit $6`,
    "created_at desc, id desc",
  );
  return db.query<Weighed<RuleRow>>({ name: `list_automations${after ? "_after" : ""}`, text }, [
    workspace.id,
    ...visibility(principal),
    limit,
    ...(after ?? []),
  ]);
}

const find = (name: string, which: string) => ({
  name,
  text: `
    select ${columns}, ${projectColumns} from automation a ${tally} ${projectJoin("a.project_id", 3)}
    where a.workspace_id = $1 and a.id = $2 and ${which}`,
});
const FIND = find("find_automation", "a.deleted_at is null");
// Clean-up removes the runs after the same time.
const FIND_RECENT = find(
  "find_automation_with_runs",
  "(a.deleted_at is null or a.deleted_at > now() - interval '30 days')",
);

type Found = RuleRow & WithProject;

/** An automation, whether or not the caller sees it. */
export async function findRule({ db, workspace, principal }: InWorkspace, id: string): Promise<Found | null> {
  const [row] = await db.query<Found>(FIND, [workspace.id, id, principal.user_id]);
  return row ?? null;
}

/** An automation whose runs can be read: for 30 days after it was deleted, too. */
export async function findRuleWithRuns({ db, workspace, principal }: InWorkspace, id: string): Promise<Found | null> {
  const [row] = await db.query<Found>(FIND_RECENT, [workspace.id, id, principal.user_id]);
  return row ?? null;
}

/** An automation, for work without a caller. */
export async function readRule(db: Db, workspaceId: string, id: string): Promise<RuleRow | null> {
  const text = `
    select ${columns} from automation a ${tally} where a.workspace_id = $1 and a.id = $2 and a.deleted_at is null`;
  const [row] = await db.query<RuleRow>({ name: "read_automation", text }, [workspaceId, id]);
  return row ?? null;
}

/** Automations that are not deleted, and how many of them are enabled. */
export async function countRules(db: Db, workspaceId: string): Promise<{ all: number; enabled: number }> {
  const text = `
    select count(*) as all, count(*) filter (where ${enabled}) as enabled
    from automation a where a.workspace_id = $1 and a.deleted_at is null`;
  const [row] = await db.query<{ all: number; enabled: number }>({ name: "count_automations", text }, [workspaceId]);
  return row!;
}

/** Creates the row of an automation's counts. */
export async function createTally(db: Db, id: string): Promise<void> {
  await db.query({ name: "create_tally", text: `insert into automation_tally (automation_id) values ($1)` }, [id]);
}

/** Whether a person is an active owner or admin of the workspace. */
export async function isActiveAdmin({ db, workspace }: InWorkspace, userId: string): Promise<boolean> {
  const text = `
    select 1 from member
    where workspace_id = $1 and user_id = $2 and status = 'active' and role in ('owner', 'admin')`;
  return (await db.query({ name: "is_active_admin", text }, [workspace.id, userId])).length > 0;
}
