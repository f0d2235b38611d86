import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { date, day } from "../../kernel/whole-days.ts";
import { choice, color, idInput, instant, line, reference, text } from "../../kernel/wire.ts";
import { aboutLabel } from "../issues/descriptions.ts";
import { rank } from "../issues/inputs.ts";
import { aboutMilestoneInput, aboutReleaseInput, aboutSprintInput } from "./descriptions.ts";
import { MILESTONE_STATUSES, RELEASE_STATUSES, SPRINT_STATUSES } from "./entities.ts";

/** Bodies of the label, milestone, sprint and release calls, named as the specification names them. */

const labelName = line(1, 50);
const labelFields = { color: color.optional(), description: text(0, 200).nullable().optional() };

export const LabelCreateInput = input("LabelCreateInput", aboutLabel, { name: labelName, ...labelFields });
export type LabelCreateInput = z.output<typeof LabelCreateInput>;

export const LabelPatchInput = input("LabelPatchInput", aboutLabel, { name: labelName.optional(), ...labelFields });
export type LabelPatchInput = z.output<typeof LabelPatchInput>;

const name = line(1, 120);
const description = text(0, 20_000).nullable().optional();

const placing = {
  rank: rank.optional(),
  before: reference.optional(),
  after: reference.optional(),
};

const milestoneFields = {
  description_md: description,
  start_at: date,
  start_on: day,
  due_at: date,
  due_on: day,
  ...placing,
};
const milestoneStatus = choice(MILESTONE_STATUSES);

export const MilestoneCreateInput = input("MilestoneCreateInput", aboutMilestoneInput, {
  name,
  status: milestoneStatus.default("planned"),
  ...milestoneFields,
});
export type MilestoneCreateInput = z.output<typeof MilestoneCreateInput>;

export const MilestonePatchInput = input("MilestonePatchInput", aboutMilestoneInput, {
  name: name.optional(),
  status: milestoneStatus.optional(),
  ...milestoneFields,
});
export type MilestonePatchInput = z.output<typeof MilestonePatchInput>;

const sprintFields = {
  goal: text(0, 5_000).nullable().optional(),
  start_at: date,
  start_on: day,
  end_at: date,
  end_on: day,
  capacity_points: z.number().int().min(0).max(100_000).nullable().optional(),
  ...placing,
};
const sprintStatus = choice(SPRINT_STATUSES);

export const SprintCreateInput = input("SprintCreateInput", aboutSprintInput, {
  name,
  status: sprintStatus.default("planned"),
  ...sprintFields,
});
export type SprintCreateInput = z.output<typeof SprintCreateInput>;

export const SprintPatchInput = input("SprintPatchInput", aboutSprintInput, {
  name: name.optional(),
  status: sprintStatus.optional(),
  ...sprintFields,
  move_open_issues_to: idInput.nullable().optional(),
});
export type SprintPatchInput = z.output<typeof SprintPatchInput>;

const releaseFields = {
  version: line(0, 64).nullable().optional(),
  description_md: description,
  target_date: date,
  target_on: day,
  ...placing,
};
const releaseStatus = choice(RELEASE_STATUSES, { canceled: "cancelled" });

export const ReleaseCreateInput = input("ReleaseCreateInput", aboutReleaseInput, {
  name,
  status: releaseStatus.default("planned"),
  ...releaseFields,
});
export type ReleaseCreateInput = z.output<typeof ReleaseCreateInput>;

export const ReleasePatchInput = input("ReleasePatchInput", aboutReleaseInput, {
  name: name.optional(),
  status: releaseStatus.optional(),
  ...releaseFields,
  released_at: instant.nullable().optional(),
});
export type ReleasePatchInput = z.output<typeof ReleasePatchInput>;
