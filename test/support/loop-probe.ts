import { createServer } from "node:http";

/**
 * Loaded into a process before it starts: tells on LOOP_PROBE_PORT how long its event loop was held without a turn for
 * anything else, in milliseconds of this thread's own computing time, and forgets it. Other programs of the machine do
 * not count in it, so that a busy machine changes little.
 */

let longest = 0;
let before = process.threadCpuUsage();

function turn(): void {
  const { user, system } = process.threadCpuUsage(before);
  longest = Math.max(longest, (user + system) / 1000);
  before = process.threadCpuUsage();
}

setInterval(turn, 1).unref();

createServer((_, response) => {
  turn();
  response.end(String(longest));
  longest = 0;
})
  .listen(Number(process.env.LOOP_PROBE_PORT), "127.0.0.1")
  .unref();
