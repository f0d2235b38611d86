import type { Db } from "../../kernel/ports/ports.ts";
import type { Group } from "../conditions/inputs.ts";
import type { TriggerConfig } from "./sources.ts";

/** What decides whether an enabled automation runs. Its actions are read when it does. */
export type Rule = {
  id: string;
  /** Null: all projects. */
  project_id: string | null;
  trigger: string;
  config: TriggerConfig;
  conditions: Group | null;
  allow_chaining: boolean;
  created_at: string;
  /** The workspace's. */
  timezone: string;
  /** Characters of this. */
  weight: number;
  /** Characters of its actions. */
  actions_weight: number;
};

const columns = `
  a.id, a.project_id, a.trigger, a.trigger_config as config, a.conditions, a.allow_chaining, a.created_at,
  (select w.timezone from workspace w where w.id = a.workspace_id) as timezone,
  length(a.trigger_config::text) + coalesce(length(a.conditions::text), 0) as weight,
  length(a.actions::text) as actions_weight`;

/** SQL: an automation `a` that runs. */
export const IS_LIVE = "a.enabled and a.deleted_at is null";

/** The enabled automations of a workspace, oldest first: the order in which they run. */
export const rulesOf = (db: Db, workspaceId: string): Promise<Rule[]> =>
  db.query<Rule>(
    {
      name: "automation_rules",
      text: `select ${columns} from automation a where a.workspace_id = $1 and ${IS_LIVE} order by a.created_at, a.id`,
    },
    [workspaceId],
  );

/** One of them; null if it is disabled or deleted. */
export async function ruleById(db: Db, workspaceId: string, id: string): Promise<Rule | null> {
  const [row] = await db.query<Rule>(
    {
      name: "automation_rule",
      text: `select ${columns} from automation a where a.workspace_id = $1 and a.id = $2 and ${IS_LIVE}`,
    },
    [workspaceId, id],
  );
  return row ?? null;
}
