import { z } from "zod";
import type { ActsFor } from "../../access/identity/set-up-by.ts";
import type { Ctx } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { ACTIONS, type ActionType } from "../actions/catalogue.ts";
import type { ActionInput } from "../actions/inputs.ts";
import type { Group } from "../conditions/inputs.ts";
import { ConditionsView } from "../conditions/view.ts";
import { aboutAction, aboutAutomation, aboutSkipped } from "./descriptions.ts";
import { ON_ERROR } from "./inputs.ts";
import { nextOccurrence } from "./schedule.ts";
import { TRIGGER_NAMES, type Trigger, type TriggerConfig, TriggerConfigView } from "./triggers.ts";

export const DISABLED_REASONS = ["user", "failing", "loop", "plan", "rights", "credential_ended"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const ACTION_TYPES = Object.keys(ACTIONS) as [ActionType, ...ActionType[]];

/** An action as it was sent. Its parameters depend on its type. */
export const ActionView = part(aboutAction, { type: z.enum(ACTION_TYPES) })
  .loose()
  .meta({ id: "Action" });

const count = z.number().int();

export const LastSkipped = part(aboutSkipped, { at: timestamp, reason: z.string() }).nullable();

export const AutomationView = view("Automation", aboutAutomation, {
  id,
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  trigger: z.enum(TRIGGER_NAMES),
  trigger_config: TriggerConfigView,
  conditions: ConditionsView.nullable(),
  actions: z.array(ActionView),
  project_id: id.nullable(),
  allow_chaining: z.boolean(),
  on_error: z.enum(ON_ERROR),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  next_run_at: timestamp.nullable(),
  last_run_at: timestamp.nullable(),
  last_skipped: LastSkipped,
  run_count: count,
  failure_count: count,
});
export type AutomationView = z.output<typeof AutomationView>;

/** An automation as it is stored. */
export type Rule = ActsFor & {
  name: string;
  description: string | null;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  trigger: Trigger;
  trigger_config: TriggerConfig;
  conditions: Group | null;
  actions: ActionInput[];
  project_id: string | null;
  allow_chaining: boolean;
  on_error: (typeof ON_ERROR)[number];
};

/** An automation with its counts, as statements return it. */
export type RuleRow = Rule & {
  id: string;
  created_at: string;
  updated_at: string;
  run_count: number;
  failure_count: number;
  last_run_at: string | null;
  last_skipped_at: string | null;
  last_skipped_reason: string | null;
};

export function automationView({ now }: Ctx, row: RuleRow): AutomationView {
  const { last_skipped_at: at, last_skipped_reason: reason, ...rule } = row;
  return AutomationView.parse({ ...rule, next_run_at: nextRunOf(row, now), last_skipped: at && { at, reason } });
}

/** When a rule with a schedule runs next. */
export const nextRunOf = ({ enabled, trigger, trigger_config }: Rule, now: string): string | null =>
  enabled && trigger === "schedule" ? nextOccurrence(scheduleOf(trigger_config), now) : null;

/** The schedule of a rule with this trigger. Saving checks that it is complete. */
export const scheduleOf = ({ cron, timezone }: TriggerConfig) => ({ cron: cron!, timezone: timezone! });
