import { z } from "zod";
import { id } from "../wire.ts";

const minutes = z.number().int().nullable();

const TimeEntryView = z.object({
  id,
  author_id: id,
  minutes: z.number().int(),
  note: z.string().nullable(),
  spent_on: z.string().meta({ description: "YYYY-MM-DD" }),
});
export type TimeEntryView = z.output<typeof TimeEntryView>;

export const TimeTrackingView = z
  .object({
    issue_key: z.string(),
    estimate_minutes: minutes,
    story_points: z.number().int().nullable(),
    spent_minutes: minutes,
    completion_pct: z.number().int().nullable(),
    remaining_minutes: minutes.meta({ description: "As set, else what is left of the estimate" }),
    agent_minutes: z.number().int().meta({ description: "Minutes that agents logged" }),
    children_spent_minutes: z.number().int().meta({ description: "Spent on direct children that are not archived" }),
    entries: z.array(TimeEntryView).meta({ description: "The newest 50" }),
  })
  .meta({ id: "TimeTracking" });
export type TimeTrackingView = z.output<typeof TimeTrackingView>;
