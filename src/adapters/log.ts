import { pino } from "pino";
import type { Log } from "../domain/ports.ts";

/** JSON lines on standard output; bodies, tokens and headers never enter them. */
export function openLog(level: string, process: string): Log {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
