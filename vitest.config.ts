import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { SecondTries } from "./test/support/second-tries.ts";

// The workers that vitest starts inherit it, and so do the processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compiled");

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global.ts"],
    setupFiles: ["test/support/each-file.ts"],
    // Loading all of src anew for each file takes a third of the suite's time.
    isolate: false,
    // Each file has a database and Redis keys of its own. With three on two cores, tests of timing fail on a slow machine.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A machine that stands still for a moment fails a test of timing, and not twice. Reports name these tests.
    retry: 1,
    reporters: ["default", new SecondTries()],
    // Ordinary tests take seconds; a slow machine takes several times as long.
    testTimeout: 60_000,
    // As long as a process may take to start on a slow machine.
    hookTimeout: 120_000,
    teardownTimeout: 15_000,
    // What is waited for comes within moments, but not on a machine that has much else to do.
    expect: { poll: { timeout: 10_000 } },
  },
});
