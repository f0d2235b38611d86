import { z } from "zod";
import { CATEGORIES } from "../../kernel/categories.ts";
import { view } from "../../kernel/described.ts";
import { color, id, timestamp } from "../../kernel/wire.ts";
import { aboutStatus } from "./descriptions.ts";

export const StatusView = view("ProjectStatus", aboutStatus, {
  id,
  name: z.string(),
  color,
  category: z.enum(CATEGORIES),
  rank: z.string(),
  wip_limit: z.number().int().nullable(),
  is_default: z.boolean(),
  issue_count: z.number().int(),
  description: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type StatusView = z.output<typeof StatusView>;
