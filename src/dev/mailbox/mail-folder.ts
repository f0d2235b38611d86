import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CapturedMail } from "../../api/pages/dev-mailbox.ts";
import { writePrivate } from "../files.ts";

const MOST_MAILS = 500;

/** A folder of captured mail, one private file each; the newest push the oldest out. */
export function openMailFolder(path: string, most = MOST_MAILS) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    path,
    keep(mail: CapturedMail): void {
      writePrivate(join(path, `${mail.id}.json`), JSON.stringify(mail, null, 2));
      // Ids begin with their time.
      const names = readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .sort();
      for (const name of names.slice(0, -most)) rmSync(join(path, name), { force: true });
    },
  };
}
