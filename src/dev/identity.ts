import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Identifies a process on this machine. Pids are reused, so the start time is part of it. */
export type Identity = { pid: number; started: string };

export function identify(pid: number): Identity | undefined {
  const started = process.platform === "linux" ? startOnLinux(pid) : startByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

export const isRunning = (process: Identity) => identify(process.pid)?.started === process.started;

/** Sends the signals one after another and waits for the process to end after each. Returns whether it has ended. */
export async function end(process: Identity, signals: NodeJS.Signals[], patienceMs: number): Promise<boolean> {
  for (const signal of signals) {
    if (!isRunning(process)) return true;
    globalThis.process.kill(process.pid, signal);
    for (let waited = 0; waited < patienceMs && isRunning(process); waited += 20) await sleep(20);
  }
  return !isRunning(process);
}

/** The command line of a process. Undefined if it has ended or cannot be read. */
export function commandLine(pid: number): string | undefined {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return ps("command=", pid);
  } catch {
    return undefined;
  }
}

function startOnLinux(pid: number): string | undefined {
  try {
    // The state and, as the 20th field, the start time in ticks since boot come after the name, which may contain any
    // character: proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  try {
    return ps("lstart=", pid) || undefined;
  } catch {
    return undefined;
  }
}

const ps = (column: string, pid: number) =>
  execFileSync("ps", ["-o", column, "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, LC_ALL: "C" },
  }).trim();
