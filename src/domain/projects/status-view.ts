import { z } from "zod";
import { CATEGORIES } from "../issues/rows.ts";
import { color, id, timestamp } from "../wire.ts";

export const StatusView = z
  .object({
    id,
    name: z.string(),
    color,
    category: z.enum(CATEGORIES),
    rank: z.string(),
    wip_limit: z.number().int().nullable(),
    is_default: z.boolean(),
    issue_count: z.number().int().meta({ description: "Issues in the column that are not archived" }),
    description: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "ProjectStatus" });
export type StatusView = z.output<typeof StatusView>;
