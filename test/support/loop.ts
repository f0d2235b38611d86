import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { request } from "undici";
import { expect } from "vitest";
import type { Config } from "../../src/config.ts";
import { freePort } from "../../src/dev/ports.ts";
import { type Process, startProcess } from "./process.ts";

/** A separate web process whose event loop is measured. */
export type WatchedProcess = Process & {
  /** The longest uninterrupted computing time of the event loop during the work, in milliseconds. */
  heldBy(work: () => PromiseLike<unknown>): Promise<number>;
};

const PROBE = pathToFileURL(join(import.meta.dirname, "loop-probe.ts")).href;

export async function startWatched(config: Config, more: Record<string, string> = {}): Promise<WatchedProcess> {
  const port = await freePort();
  const process = await startProcess("web", config, {
    NODE_OPTIONS: `--import ${PROBE}`,
    LOOP_PROBE_PORT: String(port),
    ...more,
  });
  const read = async () => Number(await (await request(`http://127.0.0.1:${port}/`)).body.text());
  return {
    ...process,
    async heldBy(work) {
      await read();
      await work();
      return read();
    },
  };
}

const MAX_MS = 50;
const TRIES = 5;

/**
 * Fails if the work blocks the event loop for 50 ms or longer. The minimum of several runs counts, because the first
 * calls compile code and garbage collection may interfere.
 */
export async function expectShortTurns(web: WatchedProcess, what: string, work: () => Promise<unknown>): Promise<void> {
  const held: number[] = [];
  while (held.length < TRIES && !(Math.min(...held) < MAX_MS)) held.push(await web.heldBy(work));
  expect(Math.min(...held), `${what} holds the event loop for ${held.map(Math.round)} ms`).toBeLessThan(MAX_MS);
}
