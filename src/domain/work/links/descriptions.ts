import { idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of links between issues, for the API description. */

const kind = ["Kind of the link.", "blocks"] as const;

export const aboutLink = {
  id: idOf("link"),
  kind,
  direction: ["`out` if the link leads from this issue to the target, `in` if it leads from the target to this issue."],
  target_key: ["Key of the other issue.", "WEB-2"],
  target_title: ["Title of the other issue.", "Update the session cookie"],
  target_status: ["Category of the other issue.", "in_progress"],
  target_project_slug: ["Slug of the project that the other issue belongs to.", "web"],
  target_id: ["Id of the other issue.", SAMPLE.issue],
  target_type: ["Type of the other issue.", "task"],
  created_by: userId("User id of the person or agent who created the link."),
  created_at: timesOf("link").created_at,
} as const;

export const aboutLinkInput = {
  kind,
  direction: [
    "`out`: this issue blocks or duplicates the target. `in`: the target blocks or duplicates this issue.",
    "out",
  ],
  target_key: ["Key or id of an issue in any project of the workspace.", "WEB-2"],
} as const;
