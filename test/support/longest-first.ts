import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, slowest first. Most of their time is waiting, during which other files run. */
const LONGEST = [
  ...["credits-faults", "late-charges", "story", "cut-processes", "browser", "frozen-worker", "access-matrix"],
  "workflow-chaos",
  ...["attacks", "all-forms", "layout-shift", "keyboard"],
  "agent-events-faults",
  "key-usage-faults",
  "long-replay",
  ...["rolling-restart", "early-stop", "relay", "chat-stream-faults", "document-renderer", "digests", "document-html"],
  ...["credits-processor", "long-lists", "cut-postgres", "inherited-words", "form-passwords", "locked-rows", "credits"],
  ...["mail", "every-change", "webhook-delivery", "document-hard", "cli", "two-callers", "worst-texts"],
  ...[
    "doc-export-load",
    "attachments-s3",
    "hostile-input",
    "webhooks",
    "hostile-address",
    "mppx-transport",
    "readme",
    "attachments",
    "notification-faults",
    "typescript-payments",
    "typescript-package",
    "tool-budget",
  ],
];

const nameOf = (path: string) => basename(path, ".test.ts");

/** Starts the slowest files first, so that no worker runs one of them alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const present = readdirSync(join(import.meta.dirname, ".."), { recursive: true, encoding: "utf8" }).map(nameOf);
    const gone = LONGEST.filter((name) => !present.includes(name));
    if (gone.length > 0) throw new Error(`${import.meta.filename} names files that are gone: ${gone.join(", ")}.`);
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.indexOf(nameOf(moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
