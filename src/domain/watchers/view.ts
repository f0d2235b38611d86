import { z } from "zod";
import { id, timestamp } from "../wire.ts";

export const WatcherView = z
  .object({
    user_id: id,
    created_at: timestamp,
    name: z.string().nullable(),
    kind: z.enum(["person", "agent"]),
  })
  .meta({ id: "Watcher" });
export type WatcherView = z.output<typeof WatcherView>;
