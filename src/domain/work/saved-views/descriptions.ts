import { idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of saved views, for the API description. */

export const aboutGroupsAndColumns = {
  group_by: ["What the issues are grouped by. `null` for no groups.", "status"],
  columns: [
    "Fields to show for each issue, in order. Empty for the client's own choice.",
    ["key", "title", "priority"],
  ],
} as const;

export const aboutSavedViewFilter = {
  issueTypes: ["Types of the issues. Empty or absent: all.", ["bug"]],
  priorities: ["Priorities of the issues, by name. Empty or absent: all.", ["high", "critical"]],
  statuses: [
    "Columns or categories of the issues. A column may be sent by its name, and is stored by its id, so that renaming it changes nothing. Empty or absent: all.",
    ["todo", SAMPLE.status],
  ],
  labels: [
    "Labels of the issues: those with at least one of them. May be sent by name, and are stored by id. Empty or absent: all.",
    [SAMPLE.label],
  ],
  assigneeId: [
    "User id of an assignee, `me` for the person who reads the view, or `none`. May be sent as an e-mail address. `null` or absent: no limit.",
    "me",
  ],
  sprintId: ["Id of the issues' sprint, `active` or `none`. `null` or absent: no limit.", "active"],
  milestoneId: ["Id of the issues' milestone, or `none`. `null` or absent: no limit.", SAMPLE.milestone],
  customFields: [
    "Values of custom fields, by the field's name or id; stored by id. A text is read like the parameter `customFields.<name>` of the issue list, a list has whole values.",
    { [SAMPLE.field]: "10..20" },
  ],
  q: ["Words in key, title or description. `null` or absent: no limit.", "safari"],
  sort: ["Order of the issues. `null` or absent: by rank.", "rank"],
} as const;

const common = {
  name: ["What people see as the view's name.", "My open bugs"],
  is_shared: ["Whether everybody in the project sees the view, or only its creator.", true],
  layout: ["How the issues are shown.", "board"],
  ...aboutGroupsAndColumns,
} as const;

export const aboutSavedViewInput = {
  ...common,
  filter: [
    "Which issues the view shows, and in which order, at most 16 KiB. Fields that it does not know are refused.",
    { issueTypes: ["bug"], assigneeId: "me" },
  ],
} as const;

export const aboutSavedView = {
  ...common,
  id: idOf("view"),
  filter: [
    "Which issues the view shows, and in which order. Columns and labels are named by id. Views that were saved before filters were checked may have other content.",
    { issueTypes: ["bug"], statuses: [SAMPLE.status], assigneeId: "me" },
  ],
  filter_names: [
    "Current names of the columns, labels, custom fields, sprints and milestones that the filter names, by id.",
    { [SAMPLE.status]: "To Do" },
  ],
  filter_deleted: [
    "Ids in the filter whose column, label, field, sprint or milestone was deleted. They match no issue.",
    [],
  ],
  created_by: userId("User id of the person or agent who created the view."),
  project_key: ["Key of the project that the view belongs to.", "WEB"],
  ...timesOf("view"),
} as const;
