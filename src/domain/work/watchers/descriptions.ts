import { userId } from "../../kernel/described.ts";

/** Descriptions of the fields of watchers, for the API description. */

export const aboutWatcher = {
  user_id: userId("User id of the person or agent who watches the issue."),
  created_at: ["When they began to watch the issue.", "2026-01-15T09:30:00.000Z"],
  name: ["Display name. `null` until they choose one.", "Ada Lovelace"],
  kind: ["Whether it is a person or an agent."],
} as const;

export const aboutWatcherDeleted = {
  user_id: userId("User id of the person or agent who no longer watches the issue."),
  deleted: ["Always `true`."],
} as const;
