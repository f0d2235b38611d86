import { join } from "node:path";
import { readJson, writePrivate } from "./files.ts";

/** `DATA_DIR/dev.json`: tells programs on this machine where the stack and its demo workspace are. */
export type DevFile = {
  base_url: string;
  workspace: string;
  project_key: string;
  owner_email: string;
  /** A key of the demo workspace's owner. The service shows it once, so this file is its only copy. */
  api_key: string;
  database_url: string;
  redis_url: string;
  /** The captured mail. Null if a real mail server is used. */
  mailbox_url: string | null;
  /** The card processor's emulator. Null if a real processor is used. */
  card_processor_url: string | null;
  /** Null: not running, or not started by this stack. */
  pids: Record<"dev" | "web" | "worker" | "postgres" | "redis", number | null>;
};

const pathIn = (folder: string) => join(folder, "dev.json");

export const readDevFile = (folder: string) => readJson<DevFile>(pathIn(folder));

export function writeDevFile(folder: string, file: DevFile): void {
  writePrivate(pathIn(folder), `${JSON.stringify(file, null, 2)}\n`);
}
