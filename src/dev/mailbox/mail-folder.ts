import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CapturedMail } from "../../api/pages/dev-mailbox.ts";
import { writePrivate } from "../files.ts";

const MAX_MAILS = 500;

/** A folder of captured mail, with one private file each. The oldest files are deleted when new mail arrives. */
export function openMailFolder(path: string, max = MAX_MAILS) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return {
    path,
    keep(mail: CapturedMail): void {
      writePrivate(join(path, `${mail.id}.json`), JSON.stringify(mail, null, 2));
      // Ids begin with their time, so they sort by age.
      const names = readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .sort();
      for (const name of names.slice(0, -max)) rmSync(join(path, name), { force: true });
    },
  };
}
