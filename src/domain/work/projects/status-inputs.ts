import { z } from "zod";
import { input } from "../../kernel/described.ts";
import { color, reference, text } from "../../kernel/wire.ts";
import { category, rank } from "../issues/inputs.ts";
import { aboutStatusInput } from "./descriptions.ts";
import { statusName } from "./inputs.ts";

/** Bodies of the status calls, named as the specification names them. */

const shared = {
  color: color.optional(),
  wip_limit: z.number().int().min(1).max(999).nullable().optional(),
  description: text(0, 200).nullable().optional(),
  is_default: z.boolean().optional(),
  rank: rank.optional(),
  before: reference.optional(),
  after: reference.optional(),
};

export const StatusCreateInput = input("StatusCreateInput", aboutStatusInput, {
  name: statusName,
  category: category.default("todo"),
  ...shared,
});
export type StatusCreateInput = z.output<typeof StatusCreateInput>;

export const StatusPatchInput = input("StatusPatchInput", aboutStatusInput, {
  name: statusName.optional(),
  category: category.optional(),
  ...shared,
});
export type StatusPatchInput = z.output<typeof StatusPatchInput>;
