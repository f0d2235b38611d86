import { newId } from "../../src/domain/kernel/ids.ts";
import type { World } from "../support/world.ts";

/** Automations and their runs as rows, for tests of runs. */

export type RuleRow = {
  name: string;
  trigger: string;
  trigger_config: object;
  conditions: object | null;
  actions: object[];
  project_id: string | null;
  allow_chaining: boolean;
  on_error: "stop" | "continue";
  created_by: string;
};

/** Stores an enabled automation of the workspace's owner. Returns its id. */
export async function addRule(here: World, rule: Partial<RuleRow> & Pick<RuleRow, "trigger" | "actions">) {
  const id = newId();
  await here.sql(
    `insert into automation (id, workspace_id, project_id, name, trigger, trigger_config, conditions, actions,
                             allow_chaining, on_error, enabled, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true, $11, now(), now())`,
    [
      ...[id, here.workspace.id, rule.project_id ?? null, rule.name ?? "Rule", rule.trigger],
      ...[JSON.stringify(rule.trigger_config ?? {}), rule.conditions ? JSON.stringify(rule.conditions) : null],
      ...[JSON.stringify(rule.actions), rule.allow_chaining ?? false, rule.on_error ?? "stop"],
      rule.created_by ?? here.owner.userId,
    ],
  );
  await here.sql(
    `insert into automation_version (workspace_id, version) values ($1, 1)
     on conflict (workspace_id) do update set version = automation_version.version + 1`,
    [here.workspace.id],
  );
  return id;
}

export type RunRow = {
  id: string;
  automation_id: string;
  issue_id: string | null;
  event_id: string;
  trigger: string;
  depth: number;
  root_event_id: string;
  status: "ok" | "partial" | "error" | null;
  reason: string | null;
  detail: string | null;
  actions_applied: { type: string; ok: boolean; detail: string | null; issue_id: string | null }[] | null;
};

/** The runs of the workspace, or of one automation, oldest first. */
export const runsOf = ({ sql, workspace }: World, automationId: string | null = null): Promise<RunRow[]> =>
  sql<RunRow>(
    `select id, automation_id, issue_id, event_id, trigger, depth, root_event_id, status, reason, detail, actions_applied
     from automation_run where workspace_id = $1 and ($2::uuid is null or automation_id = $2) order by created_at, id`,
    [workspace.id, automationId],
  );

export type AutomationState = {
  enabled: boolean;
  disabled_reason: string | null;
  run_count: number;
  failure_count: number;
};

/** Whether an automation is enabled, and its counts. */
export async function stateOf({ sql }: World, id: string): Promise<AutomationState & Record<string, unknown>> {
  const [row] = await sql<AutomationState & Record<string, unknown>>(
    `select a.enabled, a.disabled_reason, t.* from automation a left join automation_tally t on t.automation_id = a.id
     where a.id = $1`,
    [id],
  );
  return row!;
}
