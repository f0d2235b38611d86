import { countOf, dayOfDate, idOf, positionFields, RANK, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of milestones, sprints and releases, for the API description. */

export const aboutProgress = {
  total: countOf("Number of issues, without archived ones.", 10),
  done: countOf("Issues in category `done`.", 6),
  failed: countOf("Issues in category `failed`.", 1),
  cancelled: countOf("Issues in category `cancelled`.", 0),
  percent: countOf(
    "Share of the issues that are done, without cancelled ones, in percent. 100 only if all are done.",
    60,
  ),
  points: countOf("Story points of all issues, without archived ones.", 34),
  done_points: countOf("Story points of the issues in category `done`.", 21),
} as const;

const day = (description: string, example: string) =>
  [`${description}: \`YYYY-MM-DD\` (a whole day) or a date-time with offset. \`null\` clears it.`, example] as const;

const milestone = {
  name: ["What people see as the milestone's name.", "Beta"],
  description_md: ["What it contains, as Markdown. `null` if nobody said.", "Open to the **first customers**."],
  status: [
    "How far the milestone is, as people set it; it does not follow from its issues. `completed` stamps `completed_at`.",
    "planned",
  ],
} as const;

export const aboutMilestone = {
  ...milestone,
  id: idOf("milestone", "milestone"),
  start_at: ["When work on the milestone starts. `null` if not planned.", "2030-01-01T00:00:00.000Z"],
  start_on: dayOfDate("start_at", "2030-01-01"),
  due_at: ["When the milestone is due. `null` if not planned.", "2030-01-31T00:00:00.000Z"],
  due_on: dayOfDate("due_at", "2030-01-31"),
  progress: ["How far the milestone's issues are."],
  completed_at: ["When the milestone was completed. `null` if it is not.", null],
  rank: RANK,
  created_by: userId("User id of the person or agent who created the milestone. `null` if unknown."),
  ...timesOf("milestone"),
} as const;

export const aboutMilestoneInput = {
  ...milestone,
  start_at: day("When work on the milestone starts", "2030-01-01"),
  start_on: dayOfDate("start_at", "2030-01-01"),
  due_at: day("When the milestone is due", "2030-01-31"),
  due_on: dayOfDate("due_at", "2030-01-31"),
  ...positionFields("milestone"),
} as const;

const sprint = {
  name: ["What people see as the sprint's name. Filters take it too.", "Sprint 12"],
  goal: ["What the sprint should achieve. `null` if not set.", "Sign-in works on all browsers"],
  status: ["Status of the sprint. One sprint of a project is active at a time.", "planned"],
  capacity_points: ["Story points that the team can do in the sprint. `null` if not set.", 40],
} as const;

export const aboutSprint = {
  ...sprint,
  id: idOf("sprint", "sprint"),
  start_at: ["When the sprint starts. `null` if not planned.", "2030-01-01T00:00:00.000Z"],
  start_on: dayOfDate("start_at", "2030-01-01"),
  end_at: ["When the sprint ends. `null` if not planned.", "2030-01-14T00:00:00.000Z"],
  end_on: dayOfDate("end_at", "2030-01-14"),
  started_at: ["When the sprint was made active. `null` if it was not.", null],
  completed_at: ["When the sprint was completed. `null` if it is not.", null],
  progress: ["How far the sprint's issues are."],
  committed: ["What was in the sprint when it started. `null` if it has not started.", null],
  demoted_sprint_id: ["Id of the sprint that this call set back to planned by starting this one. Else `null`.", null],
  rank: RANK,
  created_by: userId("User id of the person or agent who created the sprint. `null` if unknown."),
  ...timesOf("sprint"),
} as const;

export const aboutCommitted = {
  issues: countOf("How many issues the sprint had at that time.", 12),
  points: countOf("Story points of these issues.", 34),
} as const;

export const aboutSprintInput = {
  ...sprint,
  start_at: day("When the sprint starts", "2030-01-01"),
  start_on: dayOfDate("start_at", "2030-01-01"),
  end_at: day("When the sprint ends", "2030-01-14"),
  end_on: dayOfDate("end_at", "2030-01-14"),
  ...positionFields("sprint"),
  status: ["Status of the sprint. `active` starts it and sets the sprint that is active back to `planned`.", "planned"],
  move_open_issues_to: [
    "With `status` completed: id of the sprint for issues that are still open, or `backlog`. `null` keeps them.",
    "backlog",
  ],
} as const;

const release = {
  name: ["What people see as the release's name.", "Winter release"],
  version: ["Version that the release has. `null` if not set.", "1.4.0"],
  description_md: ["Release notes as Markdown. `null` if there are none.", "Faster **sign-in**."],
  status: ["How far the release is, as people set it. `released` stamps `released_at`.", "planned"],
} as const;

export const aboutRelease = {
  ...release,
  id: idOf("release", "release"),
  target_date: ["When the release is planned for. `null` if not planned.", "2030-01-31T00:00:00.000Z"],
  target_on: dayOfDate("target_date", "2030-01-31"),
  released_at: ["When it was released. `null` if it was not.", null],
  progress: ["How far the release's issues are."],
  rank: RANK,
  created_by: userId("User id of the person or agent who created the release. `null` if unknown."),
  ...timesOf("release"),
} as const;

export const aboutReleaseInput = {
  ...release,
  target_date: day("When the release is planned for", "2030-01-31"),
  target_on: dayOfDate("target_date", "2030-01-31"),
  ...positionFields("release"),
  released_at: [
    "When it was released. Not in the future, and only with status `released`.",
    "2026-01-15T09:30:00.000Z",
  ],
} as const;

export const aboutDetached = {
  id: ["What is gone: the id of the milestone, sprint or release.", SAMPLE.other],
  deleted: ["Always `true`."],
  issues_detached: countOf("Number of issues that belonged to it. They stay, without it."),
} as const;
