import { defineEvent } from "../../events/define-event.ts";
import { GoalView } from "./view.ts";

const ofGoal = {
  view: GoalView,
  audience: "members",
  derived: ["updated_at", "version", "expected_progress_pct"],
} as const;

export const goalCreated = defineEvent("goal.created", ofGoal);
export const goalUpdated = defineEvent("goal.updated", ofGoal);
export const goalStatusChanged = defineEvent("goal.status_changed", ofGoal);
export const goalDeleted = defineEvent("goal.deleted", ofGoal);
