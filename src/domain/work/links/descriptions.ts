import { idOf, SAMPLE, timesOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of links between issues, for the API description. */

const kind = [
  "How the issues relate. `blocks` makes the blocked one count as blocked until the other one is closed.",
  "blocks",
] as const;

export const aboutLink = {
  id: idOf("link"),
  kind,
  direction: ["`out` if the link leads from this issue to the target, `in` if it leads from the target to this issue."],
  target_key: ["The issue at the other end, as `KEY-N`. It may belong to another project.", "WEB-2"],
  target_title: ["Title of the issue at the other end, as of now.", "Update the session cookie"],
  target_status: ["Category of the other issue.", "in_progress"],
  target_project_slug: ["Slug of the project that the other issue belongs to.", "web"],
  target_id: ["Identifies the issue at the other end, also when it moves.", SAMPLE.issue],
  target_type: ["What kind of work the issue at the other end is.", "task"],
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
