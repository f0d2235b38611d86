import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Account, accountFor, give, reachable, readable } from "./account.ts";
import { keptSecret, readText } from "./files.ts";
import { commandLine } from "./identity.ts";
import { findBinaries } from "./postgres-binaries.ts";
import type { Processes } from "./processes.ts";
import { StartupError } from "./startup-error.ts";

const NAME = "muster";

/**
 * Settings for data that is thrown away. The generic plans save the five plans that each connection makes of each
 * statement before it keeps one: a third of the time of Postgres, where databases and connections live for seconds.
 */
const DISPOSABLE = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  plan_cache_mode: "force_generic_plan",
};

export type PostgresOptions = {
  /** The folder of the cluster, its password and its log. */
  folder: string;
  port: number;
  /** False for data that may be lost with the machine: tests. */
  durable: boolean;
  /** A folder with an empty cluster to copy, which is faster than creating one. */
  templates?: string;
  /** Settings of the server besides the usual ones. */
  settings?: Record<string, string>;
  say(line: string): void;
};

/** Starts the embedded Postgres on 127.0.0.1 and creates cluster and database if necessary. Returns the URL. */
export async function startPostgres(processes: Processes, options: PostgresOptions): Promise<string> {
  const { folder, port, durable, say } = options;
  const found = findBinaries();
  const account = accountFor(join(folder, "postgres"), say);
  const native = readable(found.folder, `postgres-${found.version}`, account, say);
  const location = reachable(folder, account, say);
  const cluster = join(location, "postgres");
  // If the data folder was deleted to start from scratch, the part of it that is stored elsewhere is deleted too.
  if (location !== folder && !existsSync(passwordFile(folder))) rmSync(cluster, { recursive: true, force: true });
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    await createCluster(processes, { ...options, native, version: found.version, account, cluster });
  }
  const password = keptPassword(folder);
  const url = `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;

  forgetStalePid(cluster);
  const settings: Record<string, string | number> = {
    listen_addresses: "127.0.0.1",
    port,
    // The default folder of sockets is shared by all users of the machine.
    unix_socket_directories: "",
    // Six test files at once, some of which start several processes.
    max_connections: 300,
    shared_buffers: "128MB",
    max_wal_size: "1GB",
    log_checkpoints: "off",
    ...(durable ? {} : DISPOSABLE),
    ...options.settings,
  };
  await processes.start(
    {
      name: "postgres",
      command: join(native, "bin", "postgres"),
      args: ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      cwd: dirname(cluster),
      account,
      output: join(folder, "postgres.log"),
      // Fast shutdown, then immediate shutdown, from which Postgres recovers at its next start.
      stopSignals: ["SIGINT", "SIGQUIT", "SIGKILL"],
      patienceMs: 2_000,
    },
    (signal) => databaseAt(url, signal),
  );
  return url;
}

type NewCluster = PostgresOptions & { native: string; version: string; account: Account | undefined; cluster: string };

const passwordFile = (folder: string) => join(folder, "postgres.password");
const keptPassword = (folder: string) => keptSecret(passwordFile(folder), 18, "base64url");

/**
 * Creates the cluster in a temporary folder and moves it when it is complete, so that an incomplete one is never
 * used.
 */
async function createCluster(processes: Processes, options: NewCluster) {
  const { cluster, account, folder, templates, version } = options;
  const location = dirname(cluster);
  for (const name of readdirSync(location))
    if (name.startsWith("postgres.new")) rmSync(join(location, name), { recursive: true });

  const unfinished = `${cluster}.new`;
  const template = templates && join(templates, `postgres-${version}`);
  if (template && existsSync(template)) {
    copyFileSync(passwordFile(template), passwordFile(folder));
    cpSync(join(template, "postgres"), unfinished, { recursive: true });
    // Copying makes folders readable for everyone, which Postgres rejects.
    chmodSync(unfinished, 0o700);
    give(unfinished, account);
  } else {
    await initdb(processes, { ...options, cluster: unfinished });
    if (template) keepTemplate(unfinished, folder, template);
  }
  renameSync(unfinished, cluster);
}

async function initdb(processes: Processes, { native, account, cluster, folder }: NewCluster) {
  mkdirSync(cluster, { mode: 0o700 });
  const pwfile = `${cluster}.password`;
  writeFileSync(pwfile, keptPassword(folder), { mode: 0o600 });
  if (account) for (const path of [cluster, pwfile]) chownSync(path, account.uid, account.gid);
  const flags = {
    pgdata: cluster,
    username: NAME,
    pwfile,
    auth: "scram-sha-256",
    encoding: "UTF8",
    // Sorts like production servers, so that missing COLLATE "C" shows.
    "locale-provider": "icu",
    "icu-locale": "en-US",
    locale: textLocale(),
    "lc-messages": "C",
  };
  await processes.run({
    name: "initdb",
    command: join(native, "bin", "initdb"),
    args: ["--no-sync", ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)],
    cwd: dirname(cluster),
    account,
    output: join(folder, "initdb.log"),
  });
  rmSync(pwfile);
}

/** Decides which characters are letters, for full-text search. macOS and Windows have no C.UTF-8. */
function textLocale(): string {
  const { stdout } = spawnSync("locale", ["-a"], { encoding: "utf8" });
  const known = new Set(stdout?.split("\n"));
  return ["C.UTF-8", "C.utf8", "en_US.UTF-8", "en_US.utf8"].find((name) => known.has(name)) ?? "C";
}

function keepTemplate(cluster: string, folder: string, template: string) {
  const unfinished = `${template}.${process.pid}`;
  try {
    cpSync(cluster, join(unfinished, "postgres"), { recursive: true });
    copyFileSync(passwordFile(folder), passwordFile(unfinished));
    renameSync(unfinished, template);
  } catch {
    // A concurrent run was faster, or the disk is full. The template only saves time, so the error is ignored.
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Postgres refuses to start while its pid file names a running process of the same user, even if it is another
 * program that got the number after a crash. If the pid belongs to a Postgres, Postgres itself must decide.
 */
function forgetStalePid(cluster: string) {
  const path = join(cluster, "postmaster.pid");
  const pid = Number(readText(path)?.split("\n")[0]);
  const command = pid ? commandLine(pid) : undefined;
  if (command !== undefined && !command.includes("postgres")) rmSync(path);
}

/** Resolves when the database answers. Creates it in a new cluster. */
async function databaseAt(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const failure = await connects(url);
    if (!failure || signal.aborted) return;
    if (failure.code === "3D000")
      await connects(`${url.slice(0, url.lastIndexOf("/"))}/postgres`, `create database ${NAME}`);
    // 57P03: starting up, or recovering after a crash.
    else if (failure.code === "ECONNREFUSED" || failure.code === "57P03") await sleep(20);
    else throw new StartupError(`Postgres rejected the connection: ${failure.message}`);
  }
}

async function connects(connectionString: string, statement = "select 1") {
  const client = new Client({ connectionString });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(statement);
    return undefined;
  } catch (error) {
    return error as Error & { code?: string };
  } finally {
    await client.end().catch(() => {});
  }
}
