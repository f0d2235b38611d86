import { pino } from "pino";
import type { Log } from "../domain/ports.ts";

/** JSON lines on standard output; bodies, tokens and headers never enter them. */
export function openLog(level: string, process: string): Log {
  const options = { level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime };
  // Written at once: a buffer whose reader is gone would keep the process from ending.
  return pino(options, pino.destination({ fd: 1, sync: true }));
}
