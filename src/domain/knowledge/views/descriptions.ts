import { idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";
import { aboutGroupsAndColumns } from "../../work/saved-views/descriptions.ts";

/** Descriptions of the fields of workspace views, for the API description. */

export const aboutViewFilter = {
  projectIds: [
    "Projects whose issues the view shows. Empty: all projects. Bodies may also give keys and slugs. Replies leave out projects that you cannot see.",
    [SAMPLE.project],
  ],
  statuses: ["Status categories of the issues. Empty: all.", ["todo", "in_progress"]],
  priorities: ["Priorities of the issues. Empty: all.", ["high", "highest", "critical"]],
  types: ["Types of the issues. Empty: all.", ["bug"]],
  assigneeId: [
    "User id of a person or agent to whom the issues are assigned, or `me` for the person who reads the view. `null`: no limit.",
    "me",
  ],
  sort: [
    "Order of the issues. `updated_desc`: last changed first. `created_desc`: newest first. `priority_desc`: most urgent first. `due_asc`: soonest due first, those without a due date last.",
    "updated_desc",
  ],
} as const;

export const aboutAcross = {
  project: ["Ids, keys or slugs of projects, separated by commas. Left out: all projects that you can see.", "WEB"],
  assignee: ["Id or e-mail address of the person or agent to whom the issues are assigned, or `me`.", "me"],
  status: ["Status categories, separated by commas.", "todo,in_progress"],
  priority: ["Priorities, separated by commas.", "high,highest,critical"],
  type: ["Types, separated by commas.", "bug"],
  sort: aboutViewFilter.sort,
} as const;

export const aboutWorkspaceView = {
  id: idOf("view"),
  name: ["What people see as the view's name.", "Urgent bugs"],
  filter: [
    "Which issues the view shows, and in which order. A body sends all six fields. If it is missing on creation, the view shows all issues, last changed first.",
    {
      projectIds: [],
      statuses: ["todo", "in_progress"],
      priorities: ["highest", "critical"],
      types: ["bug"],
      assigneeId: null,
      sort: "priority_desc",
    },
  ],
  is_shared: [
    "Whether all members of the workspace see the view, or only its creator. Guests see only their own.",
    true,
  ],
  created_by: userId("User id of the person or agent who created the view."),
  layout: ["How the issues are shown.", "list"],
  ...aboutGroupsAndColumns,
  ...timesOf("view"),
} as const;
