import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type Identity, identify } from "./identity.ts";
import { inStopOrder } from "./run-file.ts";
import { StartupError } from "./startup-error.ts";

export type Program = {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The account that it runs as, if the owner of this process is root. */
  account?: { uid: number; gid: number };
  /** Destination of its output: a file, or a function that gets each line. */
  output: string | ((line: string) => void);
  /** Sent one after another until it ends. */
  stopSignals?: NodeJS.Signals[];
  /** Time limit after each signal. */
  patienceMs?: number;
};

type Exit = { code: number | null; signal: NodeJS.Signals | null; error?: Error };
type Entry = { program: Program; child: ChildProcess; exited: Promise<Exit> };

export type Processes = ReturnType<typeof openProcesses>;

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 10_000;
const STEADY_MS = 30_000;

/**
 * The processes of one stack: started, restarted, and stopped in order.
 * @param changed is called after every start, restart and end, before anything else happens
 */
export function openProcesses(
  say: (line: string) => void,
  changed: (running: Record<string, Identity>) => void = () => {},
) {
  const entries = new Map<string, Entry>();
  let closing = false;

  /** Starts a program, resolves once it is ready, and restarts it whenever it ends. */
  async function start(program: Program, ready: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    if (typeof program.output === "string") writeFileSync(program.output, "", { mode: 0o600 });
    const entry = launch(program);
    const ended = new AbortController();
    const early = entry.exited.then((exit) => {
      ended.abort();
      throw new StartupError(`${program.name} ${describe(exit)} before it was ready.${lastLines(program)}`);
    });
    await Promise.race([ready(ended.signal), early]);
    void keep(entry);
  }

  /** Runs a program to its end. @throws StartupError if it fails */
  async function run(program: Program): Promise<void> {
    const exit = await launch(program).exited;
    if (exit.code !== 0) throw new StartupError(`${program.name} ${describe(exit)}.${lastLines(program)}`);
  }

  /** Stops all processes: clients before servers. */
  async function stopAll(): Promise<void> {
    closing = true;
    const groups = inStopOrder([...entries.values()], ({ program }) => program.name);
    for (const group of groups) await Promise.all(group.map(stop));
    process.off("exit", killAll);
  }

  function launch(program: Program): Entry {
    if (closing) throw new StartupError(`${program.name} is not started: the stack is stopping.`);
    const { name, command, args, env, cwd, account, output } = program;
    const file = typeof output === "string" ? openSync(output, "a") : undefined;
    const child = spawn(command, args, {
      env,
      cwd,
      ...account,
      // A process group of its own: Ctrl-C reaches only this process, which then stops the others in order.
      detached: process.platform !== "win32",
      stdio: ["ignore", file ?? "pipe", file ?? "pipe"],
    });
    if (file !== undefined) closeSync(file);
    if (typeof output === "function") {
      for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on("line", output);
    }
    const exited = exitOf(child).then((exit) => {
      entries.delete(name);
      changed(running());
      return exit;
    });
    const entry = { program, child, exited };
    entries.set(name, entry);
    changed(running());
    return entry;
  }

  async function keep(first: Entry) {
    const { program } = first;
    let wait = FIRST_WAIT_MS;
    for (let entry = first; ; entry = launch(program)) {
      const began = performance.now();
      const exit = await entry.exited;
      if (closing) return;
      wait = performance.now() - began > STEADY_MS ? FIRST_WAIT_MS : Math.min(wait * 2, MAX_WAIT_MS);
      say(`${program.name} ${describe(exit)}. Starting it again in ${wait / 1000} s.`);
      await sleep(wait);
      if (closing) return;
    }
  }

  function running() {
    const found: Record<string, Identity> = {};
    for (const [name, { child }] of entries) {
      const identity = child.pid ? identify(child.pid) : undefined;
      if (identity) found[name] = identity;
    }
    return found;
  }

  // A fallback for unexpected ends of this process. SIGQUIT makes Postgres end its children.
  function killAll() {
    for (const { program, child } of entries.values()) child.kill(program.name === "postgres" ? "SIGQUIT" : "SIGKILL");
  }
  process.on("exit", killAll);

  return { start, run, stopAll };
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exit = await new Promise<Exit>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // Its last lines may still be on their way. A grandchild that inherited the pipe must not delay the stop.
  if (!exit.error) await Promise.race([closed, sleep(200, undefined, { ref: false })]);
  return exit;
}

async function stop({ program, child, exited }: Entry) {
  for (const signal of program.stopSignals ?? ["SIGTERM", "SIGKILL"]) {
    child.kill(signal);
    const patience = new AbortController();
    const late = sleep(program.patienceMs ?? 2_500, true, { signal: patience.signal }).catch(() => true);
    const gone = await Promise.race([exited.then(() => true), late.then(() => false)]);
    patience.abort();
    if (gone) return;
  }
}

const describe = ({ code, signal, error }: Exit) =>
  error ? `could not be started (${error.message})` : `ended with ${signal ?? `code ${code}`}`;

function lastLines({ output }: Program): string {
  if (typeof output !== "string") return "";
  const lines = readFileSync(output, "utf8").trimEnd().split("\n").slice(-8);
  return `\n  ${lines.join("\n  ")}\n  (from ${output})`;
}
