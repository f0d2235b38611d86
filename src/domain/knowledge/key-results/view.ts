import { z } from "zod";
import { view } from "../../kernel/described.ts";
import { calendarDay, id, timestamp } from "../../kernel/wire.ts";
import { aboutKeyResult } from "./descriptions.ts";
import { KEY_RESULT_KINDS, MEASURES, ScopeView } from "./scope.ts";

const value = z.number().nullable();
const count = z.number().int().nullable();

/** Statements return rows in this form. */
export const KeyResultView = view("KeyResult", aboutKeyResult, {
  id,
  goal_id: id,
  title: z.string(),
  kind: z.enum(KEY_RESULT_KINDS),
  unit: z.string().nullable(),
  start_value: value,
  target_value: value,
  current_value: value,
  weight: z.number(),
  scope: ScopeView.nullable(),
  progress_pct: count,
  created_at: timestamp,
  updated_at: timestamp,
  owner_user_id: id.nullable(),
  due_at: timestamp.nullable(),
  due_on: calendarDay.nullable(),
  measure: z.enum(MEASURES),
  completed: count,
  total: count,
  updated_value_at: timestamp.nullable(),
});
export type KeyResultView = z.output<typeof KeyResultView>;
