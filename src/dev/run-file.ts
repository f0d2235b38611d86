import { linkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, readText, writePrivate } from "./files.ts";
import { end, type Identity, identify, isRunning } from "./identity.ts";
import { StartupError } from "./startup-error.ts";

/**
 * The process that owns a data folder, and the processes that it started. The file exists while the owner runs, and
 * after it was killed.
 */
type RunFile = { owner: Identity; started: Record<string, Identity> };

export type Claim = { record(started: Record<string, Identity>): void; release(): void };

const SERVERS = ["redis", "postgres"];

/** The order of stopping: clients together, then the servers one after another. */
export const inStopOrder = <One>(processes: readonly One[], nameOf: (process: One) => string): One[][] => [
  processes.filter((process) => !SERVERS.includes(nameOf(process))),
  ...SERVERS.map((server) => processes.filter((process) => nameOf(process) === server)),
];

/** Web and workers may finish their work within this time. */
export const FINISH_MS = 9_500;

/**
 * Makes this process the only owner of a data folder, and stops the processes of an owner that was killed.
 * @throws StartupError if a running process owns the folder
 */
export async function claim(folder: string, say: (line: string) => void): Promise<Claim> {
  const path = join(folder, "run.json");
  const owner = identify(process.pid) ?? { pid: process.pid, started: "unknown" };

  const left = takeOver(path);
  create(path, { owner, started: left });
  await stopLeftovers(left, say);

  return {
    record: (started) => writePrivate(path, JSON.stringify({ owner, started } satisfies RunFile, null, 2)),
    release: () => rmSync(path, { force: true }),
  };
}

/** Removes a dead owner's file. If two processes try at once, the rename succeeds for only one. */
function takeOver(path: string): RunFile["started"] {
  const found = readText(path);
  if (found === undefined) return {};

  const file = readJson<RunFile>(path);
  if (file && isRunning(file.owner)) throw inUse(path, file.owner.pid);
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw inUse(path);
    throw error;
  }
  const taken = readText(aside);
  if (taken !== found) {
    // A concurrent start was faster: this is its file, not the dead owner's.
    renameSync(aside, path);
    throw inUse(path);
  }
  rmSync(aside);
  return file?.started ?? {};
}

/** A link appears with its whole content at once. It fails if another process's file exists. */
function create(path: string, file: RunFile) {
  const draft = `${path}.${process.pid}.new`;
  writePrivate(draft, JSON.stringify(file, null, 2));
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw inUse(path);
    throw error;
  } finally {
    rmSync(draft);
  }
}

async function stopLeftovers(left: RunFile["started"], say: (line: string) => void) {
  const alive = Object.entries(left).filter(([, process]) => isRunning(process));
  for (const [name, process] of inStopOrder(alive, ([name]) => name).flat()) {
    say(`Stopping ${name} (process ${process.pid}) that an earlier run left running.`);
    const signals: NodeJS.Signals[] = name === "postgres" ? ["SIGINT", "SIGQUIT", "SIGKILL"] : ["SIGTERM", "SIGKILL"];
    if (!(await end(process, signals, FINISH_MS))) {
      throw new StartupError(`${name} (process ${process.pid}) of an earlier run does not stop. Stop it by hand.`);
    }
  }
}

const inUse = (path: string, pid?: number) =>
  new StartupError(
    `Another copy is running with this data folder${pid ? ` (process ${pid})` : ""}: ${path}\n` +
      "Stop it first, or give this copy its own folder and port: DATA_DIR=.data-2 PORT=3001 npm run dev",
  );
