import { idOf, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of saved views, for the API description. */

export const aboutGroupsAndColumns = {
  group_by: ["What the issues are grouped by. `null` for no groups.", "status"],
  columns: [
    "Fields to show for each issue, in order. Empty for the client's own choice.",
    ["key", "title", "priority"],
  ],
} as const;

export const aboutSavedView = {
  id: idOf("view"),
  name: ["Name of the view.", "My open bugs"],
  filter: [
    "Filter as the client wrote it: any JSON of at most 16 KiB, kept as sent.",
    { issueTypes: ["bug"], assigneeId: "me" },
  ],
  is_shared: ["Whether everybody in the project sees the view, or only its creator.", true],
  created_by: userId("User id of the person or agent who created the view."),
  project_key: ["Key of the project that the view belongs to.", "WEB"],
  layout: ["How the issues are shown.", "board"],
  ...aboutGroupsAndColumns,
  ...timesOf("view"),
} as const;
