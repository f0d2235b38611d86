import { z } from "zod";
import { USER_KINDS } from "../../access/identity/kind.sql.ts";
import { view } from "../../kernel/described.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutWatcher } from "./descriptions.ts";

export const WatcherView = view("Watcher", aboutWatcher, {
  user_id: id,
  created_at: timestamp,
  name: z.string().nullable(),
  kind: z.enum(USER_KINDS),
});
export type WatcherView = z.output<typeof WatcherView>;
