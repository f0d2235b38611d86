import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { minutesOr } from "../../kernel/durations.ts";
import { dayInput, line } from "../../kernel/wire.ts";
import { minutes, percent, points } from "../issues/inputs.ts";
import { aboutEntryPatch, aboutLog, aboutTimePatch } from "./descriptions.ts";

const logged = {
  minutes: minutesOr(
    z
      .number()
      .int()
      .min(-1_440)
      .max(1_440)
      .refine((value) => value !== 0, { message: "must not be 0", params: { code: "not_allowed" } }),
  ),
  note: line(0, 500).nullable().optional(),
  spent_on: dayInput.optional(),
};

const Log = inputPart(aboutLog, logged);
export type Log = z.output<typeof Log>;

export const TimeEntryCreateInput = input("TimeEntryCreateInput", aboutLog, logged);

export const TimeEntryPatchInput = input("TimeEntryPatchInput", aboutEntryPatch, {
  ...logged,
  minutes: logged.minutes.optional(),
});
export type TimeEntryPatchInput = z.output<typeof TimeEntryPatchInput>;

export const TimePatchInput = input("TimePatchInput", aboutTimePatch, {
  estimate_minutes: minutes.nullable().optional(),
  story_points: points.nullable().optional(),
  spent_minutes: minutes.nullable().optional(),
  completion_pct: percent.nullable().optional(),
  remaining_minutes: minutes.nullable().optional(),
  log: Log.optional(),
});
export type TimePatchInput = z.output<typeof TimePatchInput>;
