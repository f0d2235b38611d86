import { accessSync, constants, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { keptSecret, writePrivate } from "./files.ts";
import type { Processes } from "./processes.ts";
import { StartupError } from "./startup-error.ts";

export type RedisOptions = {
  /** The folder of the data, the password and the log. */
  folder: string;
  port: number;
  /** False for data that may be lost with the process: tests. */
  durable: boolean;
  say(line: string): void;
};

/** Starts a private Redis on 127.0.0.1, and installs it first if possible. Returns the URL. */
export async function startRedis(processes: Processes, { folder, port, durable, say }: RedisOptions): Promise<string> {
  const command = onPath("redis-server") ?? onPath("valkey-server") ?? (await install(processes, say));
  const data = join(folder, "redis");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const password = keptSecret(join(folder, "redis.password"), 18, "base64url");
  const settings = {
    bind: "127.0.0.1",
    port,
    dir: JSON.stringify(data),
    requirepass: password,
    appendonly: durable ? "yes" : "no",
    appendfsync: "everysec",
    save: '""',
    "maxmemory-policy": "noeviction",
  };
  // A file, because every user of the machine can read the command line.
  const file = join(data, "redis.conf");
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  writePrivate(file, lines.join(""));

  await processes.start(
    { name: "redis", command, args: [file], cwd: data, output: join(folder, "redis.log"), patienceMs: 1_500 },
    (signal) => answers(port, password, signal),
  );
  return `redis://:${password}@127.0.0.1:${port}`;
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

async function install(processes: Processes, say: (line: string) => void): Promise<string> {
  if (process.getuid?.() === 0 && onPath("apt-get")) {
    say("There is no redis-server on this machine: installing it with apt-get.");
    const script = fileURLToPath(new URL("./install-redis.sh", import.meta.url));
    await processes
      .run({
        name: "apt-get",
        command: "sh",
        args: [script],
        output: (line) => say(`apt-get ${line}`),
        // If apt-get is killed, packages must be repaired by hand.
        patienceMs: 120_000,
      })
      .catch((error) => say(error.message));
    const installed = onPath("redis-server");
    if (installed) return installed;
  }
  throw new StartupError(
    "There is no redis-server and no valkey-server on the PATH. Any of these helps:\n" +
      "  sudo apt-get install redis-server        Debian, Ubuntu (other systems: their package manager)\n" +
      "  brew install redis                       macOS\n" +
      "  REDIS_URL=redis://… npm run dev          with a Redis of your own, 6.2 or newer\n" +
      "  docker compose -f compose.yaml up        everything in containers",
  );
}

/** Resolves when Redis has loaded its data and answers. */
async function answers(port: number, password: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await ping(port, password)).includes("+PONG")) await sleep(20);
}

/** The replies to AUTH and PING. Empty if nothing listens. */
function ping(port: number, password: string): Promise<string> {
  return new Promise((resolve) => {
    let reply = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`AUTH ${password}\r\nPING\r\nQUIT\r\n`));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("data", (chunk) => {
      reply += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(reply));
  });
}
