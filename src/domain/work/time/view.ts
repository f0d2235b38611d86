import { z } from "zod";
import { part, view } from "../../kernel/described.ts";
import { id } from "../../kernel/wire.ts";
import { aboutEntry, aboutTime } from "./descriptions.ts";

const minutes = z.number().int().nullable();

const entry = {
  id,
  author_id: id,
  minutes: z.number().int(),
  note: z.string().nullable(),
  spent_on: z.string(),
};

export const TimeEntryView = view("TimeEntry", aboutEntry, entry);
export type TimeEntryView = z.output<typeof TimeEntryView>;

export const TimeTrackingView = view("TimeTracking", aboutTime, {
  issue_key: z.string(),
  estimate_minutes: minutes,
  story_points: z.number().int().nullable(),
  spent_minutes: minutes,
  completion_pct: z.number().int().nullable(),
  remaining_minutes: minutes,
  agent_minutes: z.number().int(),
  children_spent_minutes: z.number().int(),
  entries: z.array(part(aboutEntry, entry)),
});
export type TimeTrackingView = z.output<typeof TimeTrackingView>;
