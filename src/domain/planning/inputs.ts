import { z } from "zod";
import { rank } from "../issues/inputs.ts";
import { choice, color, idInput, instant, line, reference, text } from "../wire.ts";
import { MILESTONE_STATUSES, RELEASE_STATUSES, SPRINT_STATUSES } from "./entities.ts";

/** Bodies of the label, milestone, sprint and release calls, named as the specification names them. */

const labelName = line(1, 50);
const labelFields = { color: color.optional(), description: text(0, 200).nullable().optional() };

export const LabelCreateInput = z.strictObject({ name: labelName, ...labelFields }).meta({ id: "LabelCreateInput" });
export type LabelCreateInput = z.output<typeof LabelCreateInput>;

export const LabelPatchInput = z
  .strictObject({ name: labelName.optional(), ...labelFields })
  .meta({ id: "LabelPatchInput" });
export type LabelPatchInput = z.output<typeof LabelPatchInput>;

const name = line(1, 120);
const description = text(0, 20_000).nullable().optional();
const time = instant.nullable().optional();

const placing = {
  rank: rank.optional(),
  before: reference.optional().describe("Id of the one to stand before"),
  after: reference.optional().describe("Id of the one to stand behind"),
};

const milestoneFields = { description_md: description, start_at: time, due_at: time, ...placing };
const milestoneStatus = choice(MILESTONE_STATUSES);

export const MilestoneCreateInput = z
  .strictObject({ name, status: milestoneStatus.default("planned"), ...milestoneFields })
  .meta({ id: "MilestoneCreateInput" });
export type MilestoneCreateInput = z.output<typeof MilestoneCreateInput>;

export const MilestonePatchInput = z
  .strictObject({ name: name.optional(), status: milestoneStatus.optional(), ...milestoneFields })
  .meta({ id: "MilestonePatchInput" });
export type MilestonePatchInput = z.output<typeof MilestonePatchInput>;

const sprintFields = {
  goal: text(0, 5_000).nullable().optional(),
  start_at: time,
  end_at: time,
  capacity_points: z.number().int().min(0).max(100_000).nullable().optional(),
  ...placing,
};
const sprintStatus = choice(SPRINT_STATUSES);

export const SprintCreateInput = z
  .strictObject({ name, status: sprintStatus.default("planned"), ...sprintFields })
  .meta({ id: "SprintCreateInput" });
export type SprintCreateInput = z.output<typeof SprintCreateInput>;

export const SprintPatchInput = z
  .strictObject({
    name: name.optional(),
    status: sprintStatus.optional().describe("active demotes the sprint that is active to planned"),
    ...sprintFields,
    move_open_issues_to: idInput
      .nullable()
      .optional()
      .describe("With status completed: the sprint for what is still open, backlog for none; null leaves it here"),
  })
  .meta({ id: "SprintPatchInput" });
export type SprintPatchInput = z.output<typeof SprintPatchInput>;

const releaseFields = {
  version: line(0, 64).nullable().optional(),
  description_md: description,
  target_date: time,
  ...placing,
};
const releaseStatus = choice(RELEASE_STATUSES, { canceled: "cancelled" });

export const ReleaseCreateInput = z
  .strictObject({ name, status: releaseStatus.default("planned"), ...releaseFields })
  .meta({ id: "ReleaseCreateInput" });
export type ReleaseCreateInput = z.output<typeof ReleaseCreateInput>;

export const ReleasePatchInput = z
  .strictObject({
    name: name.optional(),
    status: releaseStatus.optional(),
    ...releaseFields,
    released_at: instant.nullable().optional().describe("Not in the future; only with or in the status released"),
  })
  .meta({ id: "ReleasePatchInput" });
export type ReleasePatchInput = z.output<typeof ReleasePatchInput>;
