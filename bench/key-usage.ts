import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { interleave, load, median, type Result } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * GET one issue with the counting of keys' usage on and off, in one web process: two processes of the same code differ
 * by more than counting costs. The processor time of a request is less disturbed by other work of the machine (Linux
 * only).
 */

const ROUNDS = 60;
const ROUND_MS = 600;
const CONNECTIONS = 16;
/** At least this share of the requests without counting. */
const GOAL = 0.98;
/** As long as it takes until a signal has been handled. */
const SIGNAL_MS = 50;

export async function run(): Promise<void> {
  const bench = await setUp({ issues: 1_000 });
  try {
    const { port, child } = await bench.start("bench/counting-web.ts");
    const url = `http://127.0.0.1:${port}/v1/workspaces/bench/projects/WEB/issues/WEB-500`;
    const target = { url, headers: { authorization: `Bearer ${bench.key}` }, status: 200 };
    const spent = { on: { ms: 0, requests: 0 }, off: { ms: 0, requests: 0 } };
    let isCounting = true;
    const measure = async (counting: boolean) => {
      if (counting !== isCounting) child.kill("SIGUSR2");
      isCounting = counting;
      await sleep(SIGNAL_MS);
      const began = processorMs(child.pid!);
      const result = await load(target, { connections: CONNECTIONS, ms: ROUND_MS });
      const requests = (result.rps * ROUND_MS) / 1_000;
      const used = spent[counting ? "on" : "off"];
      used.ms += processorMs(child.pid!) - began;
      used.requests += requests;
      return result;
    };
    await load(target, { connections: CONNECTIONS, ms: 10 * ROUND_MS });
    const { on, off } = await interleave({ on: () => measure(true), off: () => measure(false) }, ROUNDS);
    const ratio = median(on.map(({ rps }) => rps)) / median(off.map(({ rps }) => rps));
    const missed = ratio < GOAL ? ", MISSED" : "";
    console.log(
      `key usage: ${ratio.toFixed(3)} of the requests without counting (goal ${GOAL}${missed}) - ${show(on)}; without ${show(off)}`,
    );
    const [counting, without] = [spent.on.ms / spent.on.requests, spent.off.ms / spent.off.requests];
    console.log(
      `  processor time of a request: ${counting.toFixed(4)} ms, without ${without.toFixed(4)} ms (${(counting / without).toFixed(3)})`,
    );
  } finally {
    await bench.stop();
  }
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** The processor time of a process so far. NaN where the kernel does not show it. */
function processorMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

const show = (results: Result[]): string =>
  `${median(results.map(({ rps }) => rps)).toFixed(0)} rps, p50 ${median(results.map(({ p50 }) => p50)).toFixed(2)} ms`;
