import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Profiles of backends with `perf` (Debian: linux-perf): which parts of a statement's life Postgres spends its time on. */

/** Functions of Postgres by what they do. The shares include what a function calls, so that those of `parts` overlap. */
const PARTS = [
  ["parse", "exec_parse_message"],
  ["plan", "GetCachedPlan"],
  ["start", "standard_ExecutorStart"],
  ["run", "standard_ExecutorRun"],
  ["finish: changes and after triggers", "standard_ExecutorFinish"],
  ["end", "standard_ExecutorEnd"],
  ["commit", "CommitTransaction"],
  ["parts: initialise plan nodes", "ExecInitNode"],
  ["parts: start again after a wait", "EvalPlanQual"],
  ["parts: insert into indexes", "ExecInsertIndexTuples"],
  ["parts: triggers in PL/pgSQL", "plpgsql_call_handler"],
  ["parts: after triggers and foreign keys", "AfterTriggerEndQuery"],
  ["parts: wait for locks", "LockAcquireExtended"],
] as const;

/** The Postgres from npm has no frame pointers, so stacks are recorded whole. */
const SAMPLED = ["-e", "cpu-clock", "-F", "199", "--call-graph", "dwarf,65528"];

/** Records processes while `work` is done, and prints the shares of their computing time. */
export async function profile(
  folder: string,
  title: string,
  pids: number[],
  work: () => Promise<unknown>,
): Promise<void> {
  const file = join(folder, `${title.replace(/\W+/g, "-")}.perf`);
  const recorder = spawn("perf", ["record", "-q", ...SAMPLED, "-o", file, "-p", pids.join(",")], {
    stdio: "inherit",
  });
  const ended = once(recorder, "exit");
  await work();
  recorder.kill("SIGINT");
  await ended;
  const shares = sharesOf(await reportOf(file));
  console.log(`  Postgres, share of its computing time (${file})`);
  for (const [part, name] of PARTS)
    console.log(`    ${part.padEnd(42)}${(shares.get(name) ?? 0).toFixed(1).padStart(6)} %`);
}

async function reportOf(file: string): Promise<string> {
  const args = [
    "report",
    "-i",
    file,
    "--children",
    "--stdio",
    "-g",
    "none",
    "--percent-limit",
    "0.3",
    "--sort",
    "symbol",
  ];
  const child = spawn("perf", args, { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  return text;
}

/** Percent of the time by function: `41.20%  0.10%  [.] ExecutorRun`. */
const sharesOf = (report: string) =>
  new Map(
    [...report.matchAll(/^\s+([\d.]+)%\s+[\d.]+%\s+\[.\] (\S+)/gm)].map(
      ([, percent, name]) => [name!, Number(percent)] as const,
    ),
  );
