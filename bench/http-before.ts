import { once } from "node:events";
import { type Call, type Program, requestOf } from "./http-calls.ts";
import { CONNECTIONS, ratioOf } from "./http-measure.ts";
import { interleave, load, median, type Result } from "./load.ts";
import type { Bench } from "./setup.ts";

/**
 * Two processes of the same code differ by up to 8 percent, depending on how their code was optimised. So a comparison
 * with another checkout uses several processes of each.
 */
const PAIRS = 6;
const PAIR_ROUNDS = 2;

type Web = { program: Program; stop(): Promise<void> };

/** Compares with the web process of another checkout, in pairs that start in alternating order. */
export async function compareWithBefore(bench: Bench, calls: Call[], ms: number, folder: string): Promise<void> {
  // Both change the same issues.
  const turns = {};
  const start = async (which: "now" | "before"): Promise<Web> => {
    const { port, child } = await bench.start("src/web.ts", {}, [], which === "before" ? folder : undefined);
    return {
      program: { name: which, kind: "muster", port, pid: child.pid!, turns },
      async stop() {
        child.kill("SIGTERM");
        await once(child, "exit");
      },
    };
  };
  const results = calls.map((call) => ({ call, now: [] as Result[], before: [] as Result[] }));
  for (let pair = 0; pair < PAIRS; pair++) {
    const order = pair % 2 === 0 ? (["now", "before"] as const) : (["before", "now"] as const);
    const webs = { [order[0]]: await start(order[0]), [order[1]]: await start(order[1]) } as Record<string, Web>;
    for (const { call, now, before } of results) {
      const one = (which: string) =>
        load(requestOf(call, webs[which]!.program, bench.key), { connections: CONNECTIONS, ms });
      for (const which of order) await one(which);
      const measured = await interleave({ now: () => one("now"), before: () => one("before") }, PAIR_ROUNDS);
      now.push(...measured.now);
      before.push(...measured.before);
    }
    for (const web of Object.values(webs)) await web.stop();
  }
  for (const { call, now, before } of results) {
    const ratio = ratioOf(now, before, ({ rps }) => rps).toFixed(2);
    console.log(
      `${call.name}: ${ratio} of before (${PAIRS} pairs of processes) - ${show(now)}; before ${show(before)}`,
    );
  }
}

const show = (results: Result[]): string =>
  `${median(results.map((r) => r.rps)).toFixed(0)} rps, p50 ${median(results.map((r) => r.p50)).toFixed(2)} ms`;
