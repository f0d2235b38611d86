import { countOf, dayOfDate, idOf, positionFields, RANK, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of projects, their columns and their members, for the API description. */

export const aboutProject = {
  id: idOf("project", "project"),
  key: ["Key of the project, the first part of its issue keys. It never changes.", "WEB"],
  slug: ["Name of the project in addresses. It never changes.", "web"],
  name: ["What people see as the project's name. Paths take its `key` or `slug`.", "Website"],
  description_md: [
    "What the project is about, as Markdown. `null` if nobody said.",
    "Everything about our **website**.",
  ],
  lead_user_id: userId("User id of the person or agent who leads the project. `null` if nobody does."),
  scoped: ["Whether only the project's members, owners and admins can see it."],
  estimation_unit: ["Unit in which issues are estimated."],
  archived_at: ["When the project was archived. `null` if it is not.", null],
  icon: ["Icon of the project, such as an emoji. `null` if there is none.", "🌐"],
  color: ["Color (`#RRGGBB`) that shows the project in lists. `null` for the standard color.", "#0f766e"],
  start_at: ["When work on the project starts. `null` if not planned.", "2026-01-15T00:00:00.000Z"],
  start_on: dayOfDate("start_at", "2026-01-15"),
  target_at: ["When the project should be finished. `null` if not planned.", "2026-06-30T00:00:00.000Z"],
  target_on: dayOfDate("target_at", "2026-06-30"),
  issue_counts: ["Number of issues in each category, without archived ones."],
  default_status_id: ["Id of the column that new issues go to. `null` if the project has none.", SAMPLE.status],
  default_assignee_id: userId("User id of the person or agent whom new issues are assigned to. `null` if nobody."),
  transition_rules: [
    "Columns that issues may move to from each column, by column id. An empty list allows no move; a column that is not named allows every move, and so does `null`.",
    { [SAMPLE.status]: [SAMPLE.other] },
  ],
  wip_mode: ["What happens above a column's `wip_limit`: nothing, a warning, or a refusal."],
  enforce_blockers: ["Whether an issue with open blockers is kept out of progress, review and done."],
  auto_start: ["Whether an issue moves to a column in progress when an agent starts to work on it."],
  my_role: ["Your role in the project. `null` if its member list does not name you.", "admin"],
  url: ["Address of the project's page.", "https://muster.example/w/acme/p/web"],
  created_by: userId("User id of the person or agent who created the project."),
  ...timesOf("project"),
} as const;

export const aboutIssueCounts = {
  backlog: countOf("Issues in category `backlog`.", 12),
  todo: countOf("Issues in category `todo`.", 5),
  in_progress: countOf("Issues in category `in_progress`."),
  in_review: countOf("Issues in category `in_review`.", 1),
  done: countOf("Issues in category `done`.", 40),
  failed: countOf("Issues in category `failed`.", 0),
  cancelled: countOf("Issues in category `cancelled`.", 2),
} as const;

const planned = {
  lead_user_id: ["Who leads the project: user id, e-mail address or `me`. `null` for nobody.", "me"],
  start_at: ["When work on the project starts: `YYYY-MM-DD` (a whole day) or a date-time with offset.", "2026-01-15"],
  start_on: dayOfDate("start_at", "2026-01-15"),
  target_at: [
    "When the project should be finished: `YYYY-MM-DD` (a whole day) or a date-time with offset.",
    "2026-06-30",
  ],
  target_on: dayOfDate("target_at", "2026-06-30"),
} as const;

export const aboutProjectCreate = {
  ...aboutProject,
  ...planned,
  key: [
    "Key of the project, the first part of its issue keys. Made from the name if absent. It cannot be changed.",
    "WEB",
  ],
  slug: ["Name of the project in addresses. Default: the key in lower case. It cannot be changed.", "web"],
  statuses: ["Columns of the board, in order. Default: Backlog, To Do, In Progress, In Review, Done and Cancelled."],
  member_ids: ["Members to add: user ids or e-mail addresses.", ["ada@example.com"]],
} as const;

export const aboutProjectPatch = {
  ...aboutProject,
  ...planned,
  default_status_id: ["Id of the column that new issues go to.", SAMPLE.status],
  default_assignee_id: ["Whom new issues are assigned to: user id, e-mail address or `me`. `null` for nobody.", "me"],
  key: ["Cannot be changed: any other value is refused.", "WEB"],
  slug: ["Cannot be changed: any other value is refused.", "web"],
} as const;

export const aboutProjectList = {
  archived: ["`true` lists archived projects instead of the others.", "true"],
} as const;

export const aboutStatus = {
  id: idOf("column", "status"),
  name: ["Name of the column, unique in the project (ignoring case).", "In Progress"],
  color: ["Color (`#RRGGBB`) that shows the column on the board.", "#2563eb"],
  category: ["Category of the column, which its issues have as their `status`.", "in_progress"],
  wip_limit: ["Maximum number of issues that should be in the column. `null` for no limit.", 5],
  is_default: ["Whether new issues go to this column."],
  issue_count: countOf("Number of issues in the column, without archived ones."),
  description: ["What the column is for. `null` if not described.", "Work in progress"],
  rank: RANK,
  ...timesOf("column"),
} as const;

export const aboutStatusInput = {
  ...aboutStatus,
  ...positionFields("column"),
  is_default: [
    "`true` sends new issues to this column instead of the present default one. `false` is refused for the default.",
  ],
} as const;

export const aboutNewStatus = {
  name: aboutStatus.name,
  color: ["Color (`#RRGGBB`) that shows the column on the board. Default: one that suits the category.", "#2563eb"],
  category: aboutStatus.category,
} as const;

export const aboutStatusDeleted = {
  id: idOf("column", "status"),
  deleted: ["Always `true`."],
  issues_deleted: countOf("Number of issues that were archived with the column."),
} as const;

export const aboutProjectMember = {
  user_id: userId("User id of the person or agent."),
  email: ["E-mail address. Empty for agents. Guests see only their own.", "ada@example.com"],
  name: ["Display name. `null` until they choose one.", "Ada Lovelace"],
  role: [
    "What the member may do in the project: `viewer` reads, `member` works on issues, `admin` also changes the project.",
    "member",
  ],
  added_at: ["When they were added to the project.", "2026-01-15T09:30:00.000Z"],
  avatar_url: ["Address of their picture. `null` if there is none.", null],
  added_by: userId("User id of the person or agent who added them. `null` if unknown."),
} as const;

export const aboutProjectMemberAdd = {
  user_id: ["Person or agent of the workspace: user id, e-mail address or `me`.", "ada@example.com"],
  role: ["Role in the project. If they are a member already, it replaces their role.", "member"],
} as const;

export const aboutProjectMemberRemoved = {
  user_id: userId("User id of the person or agent who was removed from the project."),
  removed: ["Always `true`."],
} as const;
