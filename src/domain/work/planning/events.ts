import { defineEvent } from "../../events/define-event.ts";
import { LabelView } from "../issues/view.ts";
import { MilestoneView, ReleaseView, SprintView } from "./views.ts";

const ofLabel = { view: LabelView, audience: "project", derived: ["updated_at"] } as const;
const ofMilestone = { view: MilestoneView, audience: "project", derived: ["updated_at", "progress"] } as const;
const ofSprint = {
  view: SprintView,
  audience: "project",
  derived: ["updated_at", "progress", "demoted_sprint_id"],
} as const;
const ofRelease = { view: ReleaseView, audience: "project", derived: ["updated_at", "progress"] } as const;

export const labelCreated = defineEvent("label.created", ofLabel);
export const labelUpdated = defineEvent("label.updated", ofLabel);
export const labelDeleted = defineEvent("label.deleted", ofLabel);

export const milestoneCreated = defineEvent("milestone.created", ofMilestone);
export const milestoneUpdated = defineEvent("milestone.updated", ofMilestone);
export const milestoneCompleted = defineEvent("milestone.completed", ofMilestone);
export const milestoneDeleted = defineEvent("milestone.deleted", ofMilestone);

export const sprintCreated = defineEvent("sprint.created", ofSprint);
export const sprintUpdated = defineEvent("sprint.updated", ofSprint);
export const sprintStarted = defineEvent("sprint.started", ofSprint);
export const sprintCompleted = defineEvent("sprint.completed", ofSprint);
export const sprintDeleted = defineEvent("sprint.deleted", ofSprint);

export const releaseCreated = defineEvent("release.created", ofRelease);
export const releaseUpdated = defineEvent("release.updated", ofRelease);
export const releaseReleased = defineEvent("release.released", ofRelease);
export const releaseDeleted = defineEvent("release.deleted", ofRelease);
