import { deletedView } from "../../../domain/kernel/wire.ts";
import { LabelView } from "../../../domain/work/issues/view.ts";
import {
  LabelCreateInput,
  LabelPatchInput,
  MilestoneCreateInput,
  MilestonePatchInput,
  ReleaseCreateInput,
  ReleasePatchInput,
  SprintCreateInput,
  SprintPatchInput,
} from "../../../domain/work/planning/inputs.ts";
import * as labels from "../../../domain/work/planning/labels.ts";
import * as milestones from "../../../domain/work/planning/milestones.ts";
import * as releases from "../../../domain/work/planning/releases.ts";
import * as sprints from "../../../domain/work/planning/sprints.ts";
import {
  LabelListView,
  MilestoneView,
  PlanningDeleted,
  ReleaseView,
  SprintView,
} from "../../../domain/work/planning/views.ts";
import { resource } from "../../engine/resource.ts";

export const planningOperations = [
  ...resource("P/labels", {
    id: "labels",
    view: LabelView,
    read: "labels:read",
    write: "labels:write",
    entity: labels.byId,
    current: labels.read,
    list: {
      summary: "List a project's labels by name",
      about:
        "`issue_count` counts the issues with the label, without archived ones. Leave it out of `fields` where nobody looks at it: of many issues, counting takes most of the time.",
      returns: LabelListView,
      handle: ({ ctx, paging, fields }) => labels.listPage(ctx, paging, fields),
    },
    create: {
      summary: "Create a label",
      about: "Names are unique in the project, ignoring case (409 `already_exists`).",
      body: LabelCreateInput,
      example: { name: "mobile", color: "#ef4444" },
      handle: ({ ctx, body }) => labels.create(ctx, body),
    },
    patch: {
      summary: "Change a label",
      about: "The new name and color show on all issues at once; the issues record no event of their own.",
      body: LabelPatchInput,
      example: { name: "mobile" },
      handle: ({ ctx, on, body }) => labels.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a label and remove it from all issues",
      about:
        "Archived issues lose it, too. Each issue gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      returns: deletedView("label"),
      handle: ({ ctx, on }) => labels.remove(ctx, on),
    },
  }),
  ...resource("P/milestones", {
    id: "milestones",
    view: MilestoneView,
    read: "projects:read",
    write: "projects:write",
    entity: milestones.byId,
    list: {
      summary: "List a project's milestones by rank",
      about:
        "Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.",
      handle: ({ ctx, paging, fields }) => milestones.listPage(ctx, paging, fields),
    },
    create: {
      summary: "Create a milestone",
      about: "Put issues into it with `milestone_id` of the issue.",
      body: MilestoneCreateInput,
      example: { name: "Beta", due_at: "2030-01-31" },
      handle: ({ ctx, body }) => milestones.create(ctx, body),
    },
    get: { summary: "Read a milestone", row: milestones.read },
    patch: {
      summary: "Change a milestone",
      about:
        "Setting `status` to `completed` stores the time in `completed_at`; another status clears it. Issues do not change.",
      body: MilestonePatchInput,
      example: { name: "Public beta" },
      handle: ({ ctx, on, body }) => milestones.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a milestone and remove it from its issues",
      about:
        "`issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      returns: PlanningDeleted,
      handle: ({ ctx, on }) => milestones.remove(ctx, on),
    },
  }),
  ...resource("P/sprints", {
    id: "sprints",
    view: SprintView,
    read: "projects:read",
    write: "projects:write",
    entity: sprints.byId,
    list: {
      summary: "List a project's sprints by rank",
      about:
        "At most one sprint of a project is `active`. Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.",
      handle: ({ ctx, paging, fields }) => sprints.listPage(ctx, paging, fields),
    },
    create: {
      summary: "Create a sprint",
      about:
        "Put issues into it with `sprint_id` of the issue. With `status: active` it starts at once, and an active sprint goes back to planned.",
      body: SprintCreateInput,
      example: { name: "Sprint 12", start_at: "2030-01-01", end_at: "2030-01-14" },
      handle: ({ ctx, body }) => sprints.create(ctx, body),
    },
    get: { summary: "Read a sprint", row: sprints.read },
    patch: {
      summary: "Change, start or complete a sprint; starting one sets the active one back to planned",
      about:
        "`status: active` starts it: the issues in it are stored as its commitment, and another active sprint goes back to planned (`demoted_sprint_id`). `status: completed` ends it; `move_open_issues_to` then moves its open issues to another sprint or to the backlog, otherwise they stay. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes. From then on, no open issue comes to it (409 `sprint_completed`), and issues that are opened again leave it.",
      body: SprintPatchInput,
      example: { name: "Sprint 12a" },
      handle: ({ ctx, on, body }) => sprints.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a sprint and remove it from its issues",
      about:
        "`issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      returns: PlanningDeleted,
      handle: ({ ctx, on }) => sprints.remove(ctx, on),
    },
  }),
  ...resource("P/releases", {
    id: "releases",
    view: ReleaseView,
    read: "projects:read",
    write: "projects:write",
    entity: releases.byId,
    list: {
      summary: "List a project's releases by rank",
      about:
        "Leave `progress` out of `fields` where nobody looks at it: of many issues, counting takes most of the time.",
      handle: ({ ctx, paging, fields }) => releases.listPage(ctx, paging, fields),
    },
    create: {
      summary: "Create a release",
      about:
        "Put issues into it with `release_id` of the issue. With `version`, a tag of the same name in the project's repository releases it.",
      body: ReleaseCreateInput,
      example: { name: "Winter release", version: "1.4.0" },
      handle: ({ ctx, body }) => releases.create(ctx, body),
    },
    get: { summary: "Read a release", row: releases.read },
    patch: {
      summary: "Change a release, or mark it as released",
      about: "`status: released` stores `released_at`; another status clears it. Issues do not change.",
      body: ReleasePatchInput,
      example: { name: "Spring release" },
      handle: ({ ctx, on, body }) => releases.change(ctx, on, body),
    },
    remove: {
      summary: "Delete a release and remove it from its issues",
      about:
        "`issues_detached` counts the issues that lost it. They are not archived, and each gets an event. Of more than 200 issues, all reads show it at once, and events and history follow within seconds to minutes.",
      returns: PlanningDeleted,
      handle: ({ ctx, on }) => releases.remove(ctx, on),
    },
  }),
];
