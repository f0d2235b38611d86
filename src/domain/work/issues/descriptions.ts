import { countOf, dayOfDate, idOf, positionFields, RANK, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of issues and labels, for the API description. */

export const aboutLabel = {
  id: idOf("label", "label"),
  name: ["Name of the label, unique in the project (ignoring case).", "mobile"],
  color: ["Color (`#RRGGBB`) that shows the label beside issues.", "#ef4444"],
  description: ["What the label is for. `null` if not described.", "Seen on phones and tablets"],
  ...timesOf("label"),
} as const;

export const aboutLabelList = {
  issue_count: countOf("Number of issues with the label, without archived ones.", 5),
} as const;

/** Fields that inputs and the view have alike. */
const common = {
  type: ["What kind of work it is. An `epic` groups issues; a `subtask` is a part of its parent.", "bug"],
  title: ["What the issue is about, in one line.", "Sign-in fails on Safari"],
  description_md: [
    "What is to be done and why, as Markdown. `null` if nobody said.",
    "Steps to reproduce:\n\n1. Open the page",
  ],
  status: ["Category of the issue's column.", "todo"],
  status_id: ["Id of the issue's column. `null` while the column is deleted.", SAMPLE.status],
  priority: ["How urgent the issue is. `sort=priority_desc` and ready work go by it.", "high"],
  milestone_id: ["Milestone whose progress counts the issue. `null` if it has none.", SAMPLE.milestone],
  sprint_id: ["Sprint in which the issue is planned. `null` means the backlog.", SAMPLE.sprint],
  release_id: ["Release that is to contain the issue's work. `null` if it has none.", SAMPLE.release],
  estimate_minutes: ["Estimated work in minutes. `null` if not estimated.", 240],
  story_points: ["Estimate in story points. `null` if not estimated.", 3],
  spent_minutes: ["Work done in minutes. `null` if none was recorded.", 90],
  completion_pct: ["How much of the work is done, in percent. `null` if not set.", 40],
  external_source: ["Name of the system that the issue was imported from. `null` if none.", "jira"],
  external_id: ["Id of the issue in `external_source`; the pair is unique in the project. `null` if none.", "OLD-17"],
  rank: [`${RANK[0]} An issue with the rank of another one goes right behind it.`, RANK[1]],
} as const;

export const aboutIssue = {
  ...common,
  id: idOf("issue", "issue"),
  key: ["Key of the issue: the project's key and the issue's number.", "WEB-1"],
  url: ["Address of the issue's page.", "https://muster.example/w/acme/p/web/WEB-1"],
  number: countOf("Number of the issue in its project. Never reused.", 1),
  status_name: ["Name of the issue's column. `null` while the column is deleted.", "To Do"],
  assignee_id: userId("User id of the first assignee. `null` if the issue is unassigned."),
  assignees: ["User ids of all assignees, people and agents. The first is the primary one.", [SAMPLE.user]],
  reporter_id: userId("User id of the person or agent who reported the issue."),
  parent_id: ["Id of the parent issue. `null` for a top-level issue.", null],
  epic_id: ["Id of the epic that the issue belongs to. `null` if none.", null],
  labels: ["Labels of the issue, in the order in which they were added."],
  start_at: ["When work is planned to start. `null` if not planned.", "2026-01-19T00:00:00.000Z"],
  start_on: dayOfDate("start_at", "2026-01-19"),
  due_at: [
    "When the issue is due. A whole day is shown as its midnight in UTC. `null` if not set.",
    "2026-01-30T00:00:00.000Z",
  ],
  due_on: dayOfDate("due_at", "2026-01-30"),
  resolved_at: ["When the issue became done, failed or cancelled. `null` while it is open.", null],
  archived_at: ["When the issue was archived. `null` if it is not.", null],
  project_id: ["Id of the project that the issue belongs to.", SAMPLE.project],
  project_key: ["Key of the project that the issue belongs to.", "WEB"],
  parent_key: ["Key of the parent issue. `null` for a top-level issue.", null],
  epic_key: ["Key of the epic that the issue belongs to. `null` if none.", null],
  assignee_name: ["Name of the first assignee. `null` if unassigned or not named.", "Ada Lovelace"],
  assignee_kind: ["Whether the first assignee is a person or an agent. `null` if unassigned."],
  children: ["Number of child issues. For an epic: of all issues that belong to it, at any depth."],
  custom_fields: [
    "Values of custom fields by field id. Fields without a value are left out.",
    { [SAMPLE.field]: "Web" },
  ],
  counts: ["How many other objects the issue has."],
  is_blocked: ["Whether an open issue blocks this one."],
  version: countOf("Goes up with every change. Send it as `if_version` to change only what you have seen.", 4),
  active_session_ids: ["Ids of the open agent sessions on the issue.", []],
  active_workflow_run_id: ["Id of the workflow run in progress. `null` if none.", null],
  created_by: userId("User id of the person or agent who created the issue."),
  started_at: ["When the issue first went into progress. `null` if it has not.", null],
  archived_reason: [
    "Why it was archived: `archived` by a call, `status_deleted` with its column. `null` if it is not archived.",
    null,
  ],
  ...timesOf("issue"),
} as const;

export const aboutChildren = {
  total: countOf("Child issues that are not archived.", 4),
  done: countOf("Child issues in category `done`.", 1),
  cancelled: countOf("Child issues in category `cancelled`. Complete: `done` and `cancelled` make up `total`.", 0),
} as const;

export const aboutCounts = {
  comments: countOf("How many comments people and agents wrote, answers included.", 2),
  attachments: countOf("How many files are attached, also those of comments.", 1),
  links: countOf("How many links to other issues there are, in both directions.", 1),
  watchers: countOf("How many people and agents are notified of changes."),
} as const;

const versionSeen = {
  if_version: ["`version` of the issue that you have seen. If it has changed since, the call is refused with 409.", 4],
} as const;

export const aboutIssueInput = {
  ...common,
  ...positionFields("issue"),
  ...versionSeen,
  status: [
    "Category to put the issue into: the column that the issue is in already, or else the first one that the rules of moves allow.",
    "todo",
  ],
  status_id: ["Id of the column. Wins over `status`.", SAMPLE.status],
  assignee: ["Assignee: user id, agent id, e-mail address or `me`. Replaces all assignees; `null` removes them.", "me"],
  assignee_ids: ["All assignees in order, as in `assignee`. Wins over `assignee`; an empty list removes all.", ["me"]],
  reporter: ["Who reported the issue: user id, agent id, e-mail address or `me`. Only admins may name others.", "me"],
  labels: ["Labels by id or name. Replaces all labels of the issue; unknown names are refused.", ["mobile"]],
  add_labels: ["Labels to add, by id or name. Others are kept.", ["mobile"]],
  remove_labels: ["Labels to remove, by id or name. Others are kept.", ["desktop"]],
  parent: [
    "Parent issue of the same project, by key or id. `null` for a top-level issue. A subtask needs one; an epic has none.",
    "WEB-1",
  ],
  epic: [
    "Epic that the issue belongs to, by key or id. Without it, the issue follows its parent: it has the parent's epic, also when that changes or when the issue moves. `null` for none. Sending the parent's epic lets it follow again.",
    "WEB-2",
  ],
  start_at: ["When work is planned to start: `YYYY-MM-DD` (a whole day) or a date-time with offset.", "2026-01-19"],
  start_on: dayOfDate("start_at", "2026-01-19"),
  due_at: [
    "When the issue is due: `YYYY-MM-DD` (a whole day) or a date-time with offset. Not before `start_at`.",
    "2026-01-30",
  ],
  due_on: dayOfDate("due_at", "2026-01-30"),
  custom_fields: [
    "Values of custom fields by field id or name. `null` clears a value; other fields are kept.",
    { Browser: "Safari" },
  ],
  watcher_ids: ["Who watches the issue from the start: user ids, agent ids, e-mail addresses or `me`.", ["me"]],
} as const;

export const aboutIssueInProject = {
  ...aboutIssueInput,
  project: [
    "Project of the issue, by key, slug or id. May be left out if you see only one project that is not archived.",
    "WEB",
  ],
} as const;

export const aboutTransition = {
  ...aboutIssueInput,
  status: ["Category to move the issue to. Required unless `status_id` is sent.", "done"],
  status_id: ["Id of the column to move the issue to. If `status` is sent too, they must agree.", SAMPLE.status],
  position: ["End of the column to place the issue at. Default: `bottom`.", "top"],
  comment_md: ["Comment to add with the move, as Markdown.", "Fixed in 1.4"],
} as const;

export const aboutBulkIssues = {
  items: ["Issues to create, 1 to 50. `parent` and `epic` may name an item of the same call, from `#0`."],
} as const;

export const aboutIssueList = {
  status: [
    "Only issues with one of these categories, column ids or column names, comma-separated. A column with exactly this name comes before a category, and a category before a name in another case.",
    "todo,in_progress",
  ],
  assignee: [
    "Only issues assigned to one of these: user ids, e-mail addresses, `me` or `none`, comma-separated.",
    "me",
  ],
  reporter: ["Only issues reported by one of these: user ids, e-mail addresses or `me`, comma-separated.", "me"],
  label: [
    "Only issues with one of these labels: ids, names or `none`, comma-separated. Write a comma in a name as `\\,`.",
    "mobile",
  ],
  priority: ["Only issues with one of these priorities, comma-separated.", "high,highest"],
  type: ["Only issues of one of these types, comma-separated.", "bug"],
  sprint: ["Only issues in one of these sprints: ids, `active` or `none`, comma-separated.", "active"],
  milestone: ["Only issues of one of these milestones: ids or `none`, comma-separated.", "none"],
  release: ["Only issues of one of these releases: ids or `none`, comma-separated.", "none"],
  parent: ["Only child issues of these: keys or ids, comma-separated. `none` for top-level issues.", "WEB-1"],
  epic: ["Only issues of these epics: keys or ids, comma-separated. `none` for issues without one.", "WEB-2"],
  q: [
    'Only issues with these words, or words that begin with them, in key, title or description. `"two words"` is a phrase, and `-word` leaves out. The address of an issue finds it.',
    "safari",
  ],
  customFields: [
    "Only issues with one of these values in a custom field, comma-separated: `customFields.Budget=10..20` or `customFields[Budget]=10..20`, with the field's name (ignoring case) or id. Options, texts and addresses match as a whole, ignoring case. Numbers and days may be ranges: `10..20`, `10..` or `..20`, with both ends. Users are ids, e-mail addresses or `me`; projects are ids or keys; docs are ids; checkboxes are `true` or `false`. `none`: issues whose type has the field, but that have no value.",
    { Browser: "Safari,Chrome", Budget: "10..20" },
  ],
  due_before: [
    "Only issues that are due before this day or instant. An issue that is due on the day itself is not among them.",
    "2026-02-01",
  ],
  updated_since: ["Only issues that were last changed at this instant or later.", "2026-01-16T14:05:12.480Z"],
  ready: [
    "`true` lists only issues on which you can start now: open, not blocked, without an open session, assigned to nobody or to you, and in a column from which the board's rules allow a start. `false` lists all others.",
    "true",
  ],
  archived: ["`true` lists archived issues instead of the others.", "true"],
  view: ["Id of a saved view. Its filter and order apply where no parameter says otherwise.", SAMPLE.other],
  sort: [
    "Order of the list. Default: `rank`, the order of the board. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.",
    "created_desc",
  ],
} as const;

export const aboutActivityCause = {
  key_id: ["Id of the API key. `null` if none was used.", SAMPLE.key],
  session_id: ["The session in which an agent made the change. `null` if it was not made in one.", null],
  automation_id: ["The automation that made the change. `null` if none did.", null],
  workflow_run_id: ["The workflow run that made the change. `null` if none did.", null],
  request_id: [
    "Id of the request, as in `X-Request-Id`. `null` if no request was the cause.",
    "0198c2a4-6b70-7c27-8d17-5f1d2b6c7a17",
  ],
} as const;

export const aboutActivityPayload = {
  field: ["The field of the issue that changed. `null` if none did, as for a comment.", "status"],
  from: ["Its value before. `null` if it had none, and always for descriptions, which are not repeated.", "todo"],
  to: ["Its value after. `null` if it has none, and always for descriptions, which are not repeated.", "done"],
  from_name: ["Name of the object or constant that `from` stands for. `null` if there is none.", "To Do"],
  to_name: ["Name of the object or constant that `to` stands for. `null` if there is none.", "Done"],
  cause: ["The key, session, automation, run and request through which it was done."],
} as const;

export const aboutActivity = {
  id: idOf("entry"),
  kind: ["What happened, for example `status_changed` or `assigned`.", "status_changed"],
  actor_id: userId("User id of the person or agent who did it. `null` if it was not a user."),
  payload: [
    "What changed: usually `field` with the values `from` and `to`.",
    {
      ...{ field: "status", from: "todo", to: "done", from_name: "To Do", to_name: "Done" },
      cause: {
        ...{ key_id: SAMPLE.key, session_id: null, automation_id: null, workflow_run_id: null },
        request_id: SAMPLE.other,
      },
    },
  ],
  created_at: ["When it happened.", "2026-01-16T14:05:12.480Z"],
  actor_name: ["Name that the actor had then. `null` if not known.", "Ada Lovelace"],
  actor_kind: ["Kind of the actor, such as `user`, `agent` or `form`.", "user"],
} as const;
