import { join } from "node:path";
import { readJson, writePrivate } from "./files.ts";

/** How programs on this machine find the stack and its demo workspace: `DATA_DIR/dev.json`. */
export type DevFile = {
  base_url: string;
  workspace: string;
  project_key: string;
  owner_email: string;
  /** A key of the demo workspace's owner; shown once by the service, so this file is its only copy. */
  api_key: string;
  database_url: string;
  redis_url: string;
  /** Mail that was caught; null where a real mail server is used. */
  mailbox_url: string | null;
  /** The card processor's stand-in; null where a real one is used. */
  card_processor_url: string | null;
  /** Null: not running, or not started by this stack. */
  pids: Record<"dev" | "web" | "worker" | "postgres" | "redis", number | null>;
};

const pathIn = (folder: string) => join(folder, "dev.json");

export const readDevFile = (folder: string) => readJson<DevFile>(pathIn(folder));

export function writeDevFile(folder: string, file: DevFile): void {
  writePrivate(pathIn(folder), `${JSON.stringify(file, null, 2)}\n`);
}
