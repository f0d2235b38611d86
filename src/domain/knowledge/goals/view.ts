import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { described, part, view } from "../../kernel/described.ts";
import { calendarDay, id, timestamp } from "../../kernel/wire.ts";
import { KEY_RESULT_KINDS, ScopeView } from "../key-results/scope.ts";
import {
  aboutChild,
  aboutGoal,
  aboutGoalDeleted,
  aboutGoalDetail,
  aboutKeyResultOfGoal,
  aboutRollup,
  aboutRollupInput,
} from "./descriptions.ts";
import { GOAL_STATUSES, type Measured, STATUS_OVERRIDES, standingOf } from "./status.ts";

export const percent = z.number().int().nullable();

export const GoalView = view("Goal", aboutGoal, {
  id,
  workspace_id: id,
  title: z.string(),
  description_md: z.string().nullable(),
  portfolio_id: id.nullable(),
  parent_goal_id: id.nullable(),
  owner_user_id: id.nullable(),
  cycle_start_at: timestamp.nullable(),
  cycle_start_on: calendarDay.nullable(),
  cycle_due_at: timestamp.nullable(),
  cycle_due_on: calendarDay.nullable(),
  status_override: z.enum(STATUS_OVERRIDES).nullable(),
  status: z.enum(GOAL_STATUSES),
  progress_pct: percent,
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  weight: z.number(),
  progress_override: z.number().nullable(),
  expected_progress_pct: percent,
  version: z.number().int(),
});
export type GoalView = z.output<typeof GoalView>;

/** A goal as statements return it: `progress` is the fraction, and `status` is the one that was last announced. */
export type GoalRow = Omit<GoalView, "expected_progress_pct"> &
  Pick<Measured, "progress" | "cycle_starts" | "cycle_ends">;

/** A goal as the API shows it, with the status that it has now. */
export function goalView({ now }: Pick<Ctx, "now">, { progress, cycle_starts, cycle_ends, ...row }: GoalRow): GoalView {
  const { status, expected_progress_pct } = standingOf({ ...row, progress, cycle_starts, cycle_ends }, now);
  return { ...row, status, expected_progress_pct };
}

const title = z.string();

const KeyResultOfGoal = part(aboutKeyResultOfGoal, {
  id,
  title,
  kind: z.enum(KEY_RESULT_KINDS),
  unit: z.string().nullable(),
  start_value: z.number().nullable(),
  target_value: z.number().nullable(),
  current_value: z.number().nullable(),
  weight: z.number(),
  scope: ScopeView.nullable(),
  progress_pct: percent,
});
export type KeyResultOfGoal = z.output<typeof KeyResultOfGoal>;

const Child = part(aboutChild, { id, title, progress_pct: percent, status: z.enum(GOAL_STATUSES) });

const RollupInput = part(aboutRollupInput, {
  kind: z.enum(["key_result", "goal"]),
  id,
  title,
  weight: z.number(),
  progress_pct: percent,
});

export const GoalDetailView = GoalView.extend(
  described(aboutGoalDetail, {
    portfolio_name: z.string().nullable(),
    parent_title: z.string().nullable(),
    key_results: z.array(KeyResultOfGoal),
    children: z.array(Child),
    watcher_count: z.number().int(),
    rollup: part(aboutRollup, { formula: z.string(), inputs: z.array(RollupInput) }),
  }),
).meta({ id: "GoalDetail" });
export type GoalDetailView = z.output<typeof GoalDetailView>;

export const GoalDeleted = part(aboutGoalDeleted, {
  id,
  deleted: z.literal(true),
  orphaned_goal_count: z.number().int(),
});
export type GoalDeleted = z.output<typeof GoalDeleted>;
