import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run repeat -- [--times 3] [--since REVISION] [FILE …]`: runs test files several times, each time with another seed and
 * the tests of a file in another order, and prints the seeds that failed. Without files it runs those changed since
 * the revision, or in the four hours before the newest commit.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "3" }, since: { type: "string" } },
});
const times = Number(values.times);
const files = positionals.length > 0 ? positionals : changedSince(values.since ?? fourHoursBefore());
if (files.length === 0) {
  console.log("No test file has changed.");
  process.exit(0);
}

console.log(`Running ${files.length} test files ${times} times:\n${files.join("\n")}`);
const failed: number[] = [];
for (let round = 1; round <= times; round++) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`\nRound ${round} of ${times}, FUZZ_SEED=${seed}`);
  const run = join(import.meta.dirname, "run.ts");
  const options = ["--sequence.shuffle.tests", `--sequence.seed=${seed}`, "--reporter=default", "--retry=0"];
  const { status } = spawnSync(process.execPath, [run, ...files, ...options], {
    stdio: "inherit",
    env: { ...process.env, FUZZ_SEED: String(seed), SAMPLE_SEED: String(seed) },
  });
  if (status !== 0) failed.push(seed);
}
if (failed.length > 0) {
  console.error(`${failed.length} of ${times} rounds failed. Their seeds: ${failed.join(", ")}.`);
  process.exit(1);
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8" }).trim();
}

/** The newest commit that is four hours older than the current one; empty if there is none. */
function fourHoursBefore(): string {
  const newest = Number(git("log", "-1", "--format=%ct"));
  return git("rev-list", "-1", `--before=${newest - 4 * 3_600}`, "HEAD");
}

function changedSince(revision: string): string[] {
  // Without an older commit every file is new, so an ordinary run tests the same.
  if (!revision) return [];
  const changed = git("diff", "--name-only", "--diff-filter=d", revision, "--", "test").split("\n");
  return changed.filter((name) => name.endsWith(".test.ts") && existsSync(name));
}
