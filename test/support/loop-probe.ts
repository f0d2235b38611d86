import { createServer } from "node:http";
import { watchTurns } from "./loop-turns.ts";

/** Loaded into a process before it starts: tells on LOOP_PROBE_PORT how long its event loop was held at most, and forgets it. */

const { longest } = watchTurns();

createServer((_, response) => response.end(String(longest())))
  .listen(Number(process.env.LOOP_PROBE_PORT), "127.0.0.1")
  .unref();
