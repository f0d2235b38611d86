import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { date, day } from "../../kernel/whole-days.ts";
import { choice, idInput, line, reference, text } from "../../kernel/wire.ts";
import { aboutGoalInput, aboutGoalPatch, aboutGoalQuery } from "./descriptions.ts";
import { STATUS_OVERRIDES } from "./status.ts";

/** Bodies of the goal calls, named as the specification names them. */

/** The weight of a goal or key result in the goal above it. */
export const weight = z.number().gt(0).max(999);

const fields = {
  description_md: text(0, 20_000).nullable().optional(),
  portfolio_id: idInput.nullable().optional(),
  parent_goal_id: idInput.nullable().optional(),
  owner_user_id: reference.nullable().optional(),
  cycle_start_at: date,
  cycle_start_on: day,
  cycle_due_at: date,
  cycle_due_on: day,
  progress_override: z.number().min(0).max(100).nullable().optional(),
  status_override: choice(STATUS_OVERRIDES).nullable().optional(),
};

export const GoalCreateInput = input("GoalCreateInput", aboutGoalInput, {
  title: line(1, 200),
  ...fields,
  weight: weight.default(1),
});
export type GoalCreateInput = z.output<typeof GoalCreateInput>;

export const GoalPatchInput = input("GoalPatchInput", aboutGoalPatch, {
  title: line(1, 200).optional(),
  ...fields,
  weight: weight.optional(),
  if_version: z.number().int().min(1).optional(),
});
export type GoalPatchInput = z.output<typeof GoalPatchInput>;

export const GoalListQuery = inputPart(aboutGoalQuery, {
  portfolio_id: reference.optional(),
  scope: choice(["company"]).optional(),
  parent_goal_id: reference.optional(),
});
export type GoalListQuery = z.output<typeof GoalListQuery>;
