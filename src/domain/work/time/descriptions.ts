import { countOf, idOf, userId } from "../../kernel/described.ts";

/** Descriptions of the fields of time tracking, for the API description. */

const plain = {
  estimate_minutes: ["Estimated work in minutes. `null` if not estimated.", 240],
  story_points: ["Estimate in story points. `null` if not estimated.", 3],
  completion_pct: ["How much of the work is done, in percent. `null` if not set.", 40],
} as const;

export const aboutTime = {
  ...plain,
  issue_key: ["The issue that the times belong to, as `KEY-N`.", "WEB-1"],
  spent_minutes: ["Work done in minutes. `null` if none was recorded.", 90],
  remaining_minutes: [
    "Work that is left, in minutes: as set and lowered by what was logged since, else the estimate less the time spent. `null` if unknown.",
    150,
  ],
  agent_minutes: countOf("Minutes that agents have logged.", 30),
  children_spent_minutes: countOf(
    "Minutes spent on direct child issues that are not archived; for an epic, on all that belong to it.",
    0,
  ),
  entries: ["The newest 50 entries of the time log."],
} as const;

const logged = {
  minutes: ["Minutes that were spent. A negative number takes time back.", 30],
  note: ["What the time was spent on. `null` if not said.", "Looked at the logs"],
} as const;

export const aboutEntry = {
  ...logged,
  id: idOf("entry"),
  author_id: userId("User id of the person or agent who logged the time."),
  spent_on: ["Day (UTC) on which the time was spent, as `YYYY-MM-DD`.", "2026-01-15"],
} as const;

export const aboutTimePatch = {
  ...plain,
  spent_minutes: ["All work done, in minutes. Cannot be sent together with `log`.", 90],
  remaining_minutes: ["Work that is left, in minutes. `null` goes back to the estimate less the time spent.", 150],
  log: ["Entry to add to the time log. Cannot be sent together with `spent_minutes`."],
} as const;

const written = {
  minutes: [
    "Minutes that were spent, up to a day. A negative number takes back minutes of the caller; admins may take back others'.",
    30,
  ],
  note: logged.note,
} as const;

export const aboutLog = {
  ...written,
  spent_on: [
    "Day on which the time was spent, as `YYYY-MM-DD`. Default: today (UTC). It must have begun somewhere on earth.",
    "2026-01-15",
  ],
} as const;

export const aboutEntryPatch = {
  ...written,
  spent_on: ["Day on which the time was spent, as `YYYY-MM-DD`. It must have begun somewhere on earth.", "2026-01-15"],
} as const;
