import { z } from "zod";
import { input, inputPart } from "../../kernel/described.ts";
import { WIP_MODES } from "../../kernel/rows.ts";
import { slug } from "../../kernel/slug.ts";
import { nameKey } from "../../kernel/text.ts";
import { date, day } from "../../kernel/whole-days.ts";
import { choice, color, idInput, line, reference, text } from "../../kernel/wire.ts";
import { category } from "../issues/inputs.ts";
import { aboutNewStatus, aboutProjectCreate, aboutProjectPatch } from "./descriptions.ts";
import { ESTIMATION_UNITS } from "./entities.ts";

/** Bodies of the project calls, named as the specification names them. */

export const MAX_STATUSES = 12;

/** Lower case is converted to upper case. A single letter is valid. */
const projectKey = z
  .string()
  .trim()
  .toUpperCase()
  .max(10)
  .regex(/^[A-Z][A-Z0-9]{0,9}$/, "Use 1 to 10 letters and digits, starting with a letter.");

export const statusName = line(1, 80);

const NewStatus = inputPart(aboutNewStatus, {
  name: statusName,
  color: color.optional(),
  category: category.default("todo"),
});
export type NewStatus = z.output<typeof NewStatus>;

const unit = choice(ESTIMATION_UNITS);

export const ProjectCreateInput = input("ProjectCreateInput", aboutProjectCreate, {
  key: projectKey.optional(),
  name: line(1, 100),
  slug: slug.optional(),
  description_md: text(0, 20_000).nullable().optional(),
  lead_user_id: reference.nullable().optional(),
  scoped: z.boolean().default(false),
  estimation_unit: unit.default("time"),
  icon: line(0, 32).nullable().optional(),
  color: color.nullable().optional(),
  start_at: date,
  start_on: day,
  target_at: date,
  target_on: day,
  statuses: z
    .array(NewStatus)
    .min(1)
    .max(MAX_STATUSES)
    .refine((statuses) => new Set(statuses.map(({ name }) => nameKey(name))).size === statuses.length, {
      message: "must have different names",
      params: { code: "duplicate" },
    })
    .optional(),
  member_ids: z.array(reference).max(100).default([]),
});
export type ProjectCreateInput = z.output<typeof ProjectCreateInput>;

export const ProjectPatchInput = input("ProjectPatchInput", aboutProjectPatch, {
  name: line(1, 100).optional(),
  description_md: text(0, 20_000).nullable().optional(),
  lead_user_id: reference.nullable().optional(),
  scoped: z.boolean().optional(),
  estimation_unit: unit.optional(),
  icon: line(0, 32).nullable().optional(),
  color: color.nullable().optional(),
  start_at: date,
  start_on: day,
  target_at: date,
  target_on: day,
  default_status_id: idInput.optional(),
  default_assignee_id: reference.nullable().optional(),
  transition_rules: z
    .record(idInput, z.array(idInput).max(MAX_STATUSES))
    .meta({ maxProperties: MAX_STATUSES })
    .nullable()
    .optional(),
  wip_mode: choice(WIP_MODES).optional(),
  enforce_blockers: z.boolean().optional(),
  auto_start: z.boolean().optional(),
  // Declared, so that they are refused as immutable and not as unknown.
  key: z.unknown().optional(),
  slug: z.unknown().optional(),
});
export type ProjectPatchInput = z.output<typeof ProjectPatchInput>;
