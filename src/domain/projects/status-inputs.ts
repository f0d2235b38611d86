import { z } from "zod";
import { category, rank } from "../issues/inputs.ts";
import { color, reference, text } from "../wire.ts";
import { statusName } from "./inputs.ts";

/** Bodies of the status calls, named as the specification names them. */

const shared = {
  color: color.optional(),
  wip_limit: z.number().int().min(1).max(999).nullable().optional(),
  description: text(0, 200).nullable().optional(),
  is_default: z.boolean().optional().describe("true: the column of new issues, instead of the present one"),
  rank: rank.optional(),
  before: reference.optional().describe("Id of the column to stand before"),
  after: reference.optional().describe("Id of the column to stand behind"),
};

export const StatusCreateInput = z
  .strictObject({ name: statusName, category: category.default("todo"), ...shared })
  .meta({ id: "StatusCreateInput" });
export type StatusCreateInput = z.output<typeof StatusCreateInput>;

export const StatusPatchInput = z
  .strictObject({ name: statusName.optional(), category: category.optional(), ...shared })
  .meta({ id: "StatusPatchInput" });
export type StatusPatchInput = z.output<typeof StatusPatchInput>;
