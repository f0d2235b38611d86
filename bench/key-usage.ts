import { setTimeout as sleep } from "node:timers/promises";
import { interleave, load, median, type Result } from "./load.ts";
import { setUp } from "./setup.ts";

/**
 * GET one issue with the counting of keys' usage on and off, in one web process: two processes of the same code differ
 * by more than counting costs.
 */

const ROUNDS = 24;
const ROUND_MS = 1_500;
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
    let isCounting = true;
    const measure = async (counting: boolean) => {
      if (counting !== isCounting) child.kill("SIGUSR2");
      isCounting = counting;
      await sleep(SIGNAL_MS);
      return load(target, { connections: CONNECTIONS, ms: ROUND_MS });
    };
    await load(target, { connections: CONNECTIONS, ms: 4 * ROUND_MS });
    const { on, off } = await interleave({ on: () => measure(true), off: () => measure(false) }, ROUNDS);
    const ratio = median(on.map((result, round) => result.rps / off[round]!.rps));
    const missed = ratio < GOAL ? ", MISSED" : "";
    console.log(
      `key usage: ${ratio.toFixed(3)} of the requests without counting (goal ${GOAL}${missed}) - ${show(on)}; without ${show(off)}`,
    );
  } finally {
    await bench.stop();
  }
}

const show = (results: Result[]): string =>
  `${median(results.map(({ rps }) => rps)).toFixed(0)} rps, p50 ${median(results.map(({ p50 }) => p50)).toFixed(2)} ms`;
