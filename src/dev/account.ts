import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { StartupError } from "./startup-error.ts";

/** The account that Postgres runs as if root starts the stack. Postgres refuses to run as root. */
export type Account = { uid: number; gid: number };

// A folder for data and copies when the original folder can be entered only by root, such as a checkout under /root.
const SHELTER = "/var/lib/muster";

const NAME = "postgres";

/**
 * The account for a cluster. Undefined: the account of this process. Root uses the owner of an existing cluster,
 * otherwise the account `postgres`, which is created if necessary.
 */
export function accountFor(cluster: string, say: (line: string) => void): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0) return { uid, gid };
  }
  return lookUp() ?? make(say);
}

/**
 * `folder`, or if the account cannot enter it, a replacement elsewhere. It is always the same one for the same
 * folder.
 */
export function reachable(folder: string, account: Account | undefined, say: (line: string) => void): string {
  if (canEnter(folder, account)) return folder;
  const shelter = join(SHELTER, createHash("sha256").update(folder).digest("hex").slice(0, 12));
  mkdirSync(shelter, { recursive: true });
  for (const path of [SHELTER, shelter]) chmodSync(path, 0o755);
  say(`Only root can enter ${folder}, and Postgres cannot run as root: its data is in ${shelter}.`);
  return shelter;
}

/** `folder`, or a copy that the account can read. */
export function readable(folder: string, name: string, account: Account | undefined, say: (line: string) => void) {
  if (canEnter(folder, account)) return folder;
  const copy = join(SHELTER, name);
  if (!existsSync(copy)) {
    say(`Only root can enter ${folder}: copying it to ${copy} for Postgres.`);
    const unfinished = `${copy}.${process.pid}`;
    cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
    execFileSync("chmod", ["a+rx", SHELTER]);
    execFileSync("chmod", ["-R", "a+rX", unfinished]);
    renameSync(unfinished, copy);
  }
  return copy;
}

/** Changes the owner of a folder and its contents to the account. */
export function give(folder: string, account: Account | undefined): void {
  if (account) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, folder]);
}

const canEnter = (folder: string, account: Account | undefined) =>
  !account || spawnSync("test", ["-x", folder], { ...account, cwd: "/" }).status === 0;

function lookUp(): Account | undefined {
  const id = (flag: string) => Number(execFileSync("id", [flag, NAME], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

function make(say: (line: string) => void): Account {
  say(`Postgres cannot run as root: adding the account "${NAME}" to this machine.`);
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]);
  const made = lookUp();
  if (made) return made;
  throw new StartupError(
    `Postgres does not run as root, and an account "${NAME}" could not be added. Add one, run this as an ordinary user, or set DATABASE_URL.`,
  );
}
