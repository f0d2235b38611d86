import { z } from "zod";
import { part, view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutApplied, aboutRun } from "./descriptions.ts";

export const RUN_STATUSES = ["ok", "partial", "error"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const RUN_REASONS = ["loop_stopped", "throttled", "plan", "rights"] as const;
export type RunReason = (typeof RUN_REASONS)[number];

const AppliedView = part(aboutApplied, {
  type: z.string(),
  ok: z.boolean(),
  detail: z.string().nullable(),
  issue_id: id.nullable(),
});
/** What an action did on one of its targets. */
export type Applied = z.output<typeof AppliedView>;

export const AutomationRunView = view("AutomationRun", aboutRun, {
  id,
  automation_id: id,
  issue_id: id.nullable(),
  issue_key: z.string().nullable(),
  trigger: z.string(),
  event_id: id,
  depth: z.number().int(),
  status: z.enum(RUN_STATUSES),
  reason: z.enum(RUN_REASONS).nullable(),
  actions_applied: z.array(AppliedView).nullable(),
  detail: z.string().nullable(),
  created_at: timestamp,
  started_at: timestamp,
  finished_at: timestamp,
  duration_ms: z.number().int(),
});
export type AutomationRunView = z.output<typeof AutomationRunView>;

/** A run that has ended, as it is stored, with the key of its issue. */
export type EndedRunRow = Omit<AutomationRunView, "duration_ms">;

export const automationRunView = (row: EndedRunRow): AutomationRunView => ({
  ...row,
  duration_ms: Math.max(0, Date.parse(row.finished_at) - Date.parse(row.started_at)),
});
