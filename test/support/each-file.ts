import { afterAll } from "vitest";
import { stopApp } from "./app.ts";
import { closeProfiles } from "./chromium.ts";
import "./scripts.ts";

/**
 * Runs before each test file. Files of one process share the modules they load, so whatever a support module keeps for a
 * file is ended here, not in a hook of that module: only the first file that loads it would register the hook.
 */
// A test of the previous file that exceeded its time limit may have started a process since.
await stopApp();

afterAll(async () => {
  await closeProfiles();
  await stopApp();
});
