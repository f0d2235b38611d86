import { chosen } from "./chosen.ts";
import { untilIdle } from "./cpu.ts";
import { compareWithBefore } from "./http-before.ts";
import { CALLS, type Call } from "./http-calls.ts";
import { type Beside, CONNECTIONS, count, type Entry, type Measured, measure } from "./http-measure.ts";
import { PROJECTS, type Programs, startPrograms } from "./http-programs.ts";
import { printLines, printStatements } from "./http-table.ts";
import { interleave } from "./load.ts";
import { profile } from "./profile.ts";

/**
 * GET one issue, a list of 50, POST, PATCH and transition, compared with lean programs on small tables of their own
 * (`floors/`) and with bare Koa and pg on Muster's own tables: the first shows what all of Muster costs, the second what
 * its engine costs. See docs/performance.md for the settings.
 */

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 2_000);
/** Node needs some seconds to compile what a call runs. */
const WARM_UP_MS = 4_000;
const PROFILE_MS = 6_000;
const MODES = ["web", "projects", "worker"];

export async function run(): Promise<void> {
  const calls = chosen("BENCH_CALLS", CALLS, ({ name }) => name);
  const modes = chosen("BENCH_MODES", MODES, (mode) => mode);
  const writes = calls.filter(({ method }) => method !== "GET");
  const programs = await startPrograms();
  try {
    const { bench, muster, pg, all, own } = programs;
    const lean = [pg, all].map((program) => ({ label: program.name, program }));
    const ours = { label: "muster", program: muster };
    console.log(
      `http: ${CONNECTIONS} connections, ${ROUNDS} interleaved rounds of ${ROUND_MS / 1000} s; medians; microseconds of computing time a call`,
    );
    if (modes.includes("web")) {
      for (const call of calls) {
        const owns = call.own ? [{ label: own.name, program: own }] : [];
        await compare(programs, `${call.name}, web alone`, call, [ours, ...lean, ...owns], call.goals.web);
      }
    }
    const create = calls.find(({ name }) => name === "POST issue");
    if (modes.includes("projects") && create) {
      const entries = [
        { ...ours, projects: PROJECTS },
        { ...ours, label: "one project" },
        { ...lean[0]!, projects: PROJECTS },
      ];
      await compare(programs, `${create.name}, ${PROJECTS.length} projects at once`, create, entries, 1);
    }
    if (modes.includes("worker") && writes.length > 0) {
      const worker = await programs.startWorker();
      await untilIdle(worker);
      for (const call of writes)
        await compare(programs, `${call.name}, a worker beside it`, call, [ours, ...lean], call.goals.worker, worker);
    }
    const before = process.env.BENCH_BEFORE;
    if (before) await compareWithBefore(bench, calls, ROUND_MS, before);
  } finally {
    for (const counter of Object.values(programs.counters)) await counter.close();
    await programs.bench.stop();
    for (const { counted } of [programs.muster, programs.pg, programs.all, programs.own]) counted.proxy.close();
  }
}

/** Compares the first entry with the others. */
async function compare(
  programs: Programs,
  title: string,
  call: Call,
  entries: Entry[],
  goal: number | undefined,
  worker?: number,
): Promise<void> {
  const { bench, servers, counters } = programs;
  const beside: Beside = { servers, worker };
  for (const entry of entries) await measure(call, entry, bench.key, WARM_UP_MS, beside);
  await programs.vacuum();
  const variants = entries.map(
    (entry) => [entry.label, () => measure(call, entry, bench.key, ROUND_MS, beside)] as const,
  );
  const results = await interleave<string, Measured>(Object.fromEntries(variants), ROUNDS);
  const lines = [];
  for (const entry of entries) {
    const ofWorker = entry.program.kind === "muster" ? worker : undefined;
    const counted = await count(call, entry, bench.key, counters[entry.program.kind], ofWorker);
    lines.push({ entry, results: results[entry.label]!, counted });
  }
  printLines(title, lines, goal);
  if (process.env.BENCH_STATEMENTS) printStatements(lines[0]!);
  const folder = process.env.BENCH_PROFILES;
  if (folder) {
    const backends = await bench.sql("select pid from pg_stat_activity where datname = current_database()");
    const pids = backends.map(({ pid }) => pid as number);
    await profile(folder, title, pids, () => measure(call, entries[0]!, bench.key, PROFILE_MS, beside));
  }
}
