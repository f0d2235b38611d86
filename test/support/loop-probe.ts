import { createServer } from "node:http";
import { watchTurns } from "./loop-turns.ts";

/**
 * Preloaded into a process: reports on LOOP_PROBE_PORT how long its event loop was blocked at most, and resets the
 * value.
 */

const { longest } = watchTurns();

createServer((_, response) => response.end(String(longest())))
  .listen(Number(process.env.LOOP_PROBE_PORT), "127.0.0.1")
  .unref();
